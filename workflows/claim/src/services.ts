/**
 * The workflow's lines to the services: own steps as local activities, the others on their queues. Failure policy: what is away
 * is tried again for ever, at most five seconds apart; only a refusal is final.
 */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { BenefitsForClaims, CareForClaims, PaymentsForClaims } from './ports';
import type { ClaimSteps } from './steps';

const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' } as const;
const elsewhere = { startToCloseTimeout: '15s', retry } as const;

export const own = proxyLocalActivities<ClaimSteps>({ startToCloseTimeout: '10s', retry });

export const care = proxyActivities<CareForClaims>({
  ...elsewhere,
  taskQueue: 'care',
  summary: 'What does care know of the session?',
});

const benefits = { ...elsewhere, taskQueue: 'benefits' } as const;
export const { useForClaim } = proxyActivities<BenefitsForClaims>({
  ...benefits,
  summary: 'Judge the submission and mark its pre-authorization used',
});
export const { freeFromClaim } = proxyActivities<BenefitsForClaims>({
  ...benefits,
  summary: 'Give back what the claim used',
});

const payments = { ...elsewhere, taskQueue: 'payments' } as const;
export const { openLiability } = proxyActivities<PaymentsForClaims>({
  ...payments,
  summary: "Open the payer's liability",
});
export const { reverseLiability } = proxyActivities<PaymentsForClaims>({
  ...payments,
  summary: "Close the claim's account",
});

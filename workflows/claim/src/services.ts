/**
 * The workflow's lines to the services: own steps as local activities, the others' on their queues. Failure policy: what is away
 * is tried again for ever, at most five seconds apart; only a refusal is final.
 */
import { ownSteps, stepsElsewhere } from '@carecover/platform/workflow';
import type { BenefitsForClaims, CareForClaims, PaymentsForClaims } from './ports';
import type { ClaimSteps } from './steps';

const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' } as const;
const elsewhere = { startToCloseTimeout: '15s', retry } as const;

export const own = ownSteps<ClaimSteps>(
  { startToCloseTimeout: '10s', retry },
  {
    loadClaim: 'Read where the claim stands',
    prepareSubmission: 'Read the submission',
    commitSubmission: 'The claim is submitted',
    dropSubmission: 'Drop the refused submission',
    commitInformationRequest: 'Ask for information',
    commitEvidence: 'Take up the evidence',
    lapseInformationRequest: 'Look at facts and clock: news, or a lapsed request?',
    prepareAdjudication: 'Judge the adjudication',
    commitAdjudication: 'The claim is adjudicated',
    prepareReversal: 'Judge the reversal',
    commitReversal: 'The claim is reversed',
    dropInHand: 'Drop what payments refused',
    commitCancellation: 'The claim is cancelled',
    recordFreed: 'Note that nothing is used any more',
  },
);

export const care = stepsElsewhere<CareForClaims>(
  { ...elsewhere, taskQueue: 'care' },
  { sessionForClaim: 'What does care know of the session?' },
);

export const benefits = stepsElsewhere<BenefitsForClaims>(
  { ...elsewhere, taskQueue: 'benefits' },
  {
    useForClaim: 'Judge the submission and mark its pre-authorization used',
    freeFromClaim: 'Give back what the claim used',
  },
);

export const payments = stepsElsewhere<PaymentsForClaims>(
  { ...elsewhere, taskQueue: 'payments' },
  { openLiability: "Open the payer's liability", reverseLiability: "Close the claim's account" },
);

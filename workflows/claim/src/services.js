/**
 * The workflow's lines to the services: own steps as local activities, the others on their queues. Failure policy: what is away
 * is tried again for ever, at most five seconds apart; only a refusal is final.
 */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' };
const elsewhere = { startToCloseTimeout: '15s', retry };
export const own = proxyLocalActivities({ startToCloseTimeout: '10s', retry });
export const care = proxyActivities({
    ...elsewhere,
    taskQueue: 'care',
    summary: 'What does care know of the session?',
});
const benefits = { ...elsewhere, taskQueue: 'benefits' };
export const { useForClaim } = proxyActivities({
    ...benefits,
    summary: 'Judge the submission and mark its pre-authorization used',
});
export const { freeFromClaim } = proxyActivities({
    ...benefits,
    summary: 'Give back what the claim used',
});
const payments = { ...elsewhere, taskQueue: 'payments' };
export const { openLiability } = proxyActivities({
    ...payments,
    summary: "Open the payer's liability",
});
export const { reverseLiability } = proxyActivities({
    ...payments,
    summary: "Close the claim's account",
});

/** The workflow's lines to the services: own steps as local activities, the others' on their queues. */
import { ownSteps, stepsElsewhere } from '@carecover/platform/workflow';
import type { BenefitsForClaims, CareForClaims, PaymentsForClaims } from './ports';
import type { ClaimSteps } from './steps';

/** For another service to answer once. */
const ELSEWHERE = '15s';

export const own = ownSteps<ClaimSteps>('10s', {
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
});

export const care = stepsElsewhere<CareForClaims>('care', ELSEWHERE, {
  sessionForClaim: 'What does care know of the session?',
});

export const benefits = stepsElsewhere<BenefitsForClaims>('benefits', ELSEWHERE, {
  useForClaim: 'Judge the submission and mark its pre-authorization used',
  freeFromClaim: 'Give back what the claim used',
});

export const payments = stepsElsewhere<PaymentsForClaims>('payments', ELSEWHERE, {
  openLiability: "Open the payer's liability",
  reverseLiability: "Close the claim's account",
});

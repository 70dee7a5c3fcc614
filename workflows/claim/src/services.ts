/** The steps of the claim's workflow with their summaries: steps in the claims service and in other services. */
import { localSteps } from '@carecover/platform/workflow';
import type { BenefitsForClaims, PaymentsForClaims } from './ports';
import type { ClaimSteps } from './steps';

export const own = localSteps<ClaimSteps>('10s', {
  loadClaim: 'Read the claim',
  prepareSubmission: 'Read the submission, and its session in care',
  commitSubmission: 'Record the submission',
  dropSubmission: 'Delete the rejected submission',
  commitInformationRequest: 'Record the information request',
  commitEvidence: 'Record the evidence',
  lapseInformationRequest: 'Read the claim, and end an overdue information request',
  prepareAdjudication: 'Check the adjudication',
  commitAdjudication: 'Record the adjudication',
  prepareReversal: 'Check the reversal',
  commitReversal: 'Record the reversal',
  dropPendingStep: 'Delete the command that payments rejected',
  commitCancellation: 'Record the cancellation',
  recordReleased: 'Record that benefits released everything',
});

export const benefits = localSteps<BenefitsForClaims>('10s', {
  useForClaim: 'Benefits: check the submission and use its pre-authorization',
  releaseFromClaim: 'Benefits: release what the claim used',
});

export const payments = localSteps<PaymentsForClaims>('10s', {
  openLiability: "Payments: open the payer's liability",
  reverseLiability: "Payments: close the claim's account",
});

/** The definition of a claim's workflow, for the workflow itself and for the claims service, which starts, addresses and signals it. */
import type { OperationId } from '@carecover/contract';
import type { SignalledWorkflow } from '@carecover/platform';
import { CLAIM_STATUS } from '@carecover/platform/workflow';

export const claimWorkflow = {
  type: 'claim',
  taskQueue: 'claims',
  updates: {
    createClaim: 'submit',
    requestClaimInformation: 'requestInformation',
    submitClaimEvidence: 'submitEvidence',
    adjudicateClaim: 'adjudicate',
    cancelClaim: 'cancel',
    reverseClaim: 'reverse',
  },
  // The Temporal signal that is sent when the claim's status changed outside of its workflow, or when a deadline is overdue.
  signal: 'recorded',
  statusAttribute: CLAIM_STATUS,
  summaryOf: ({ id }) => `Claim ${id}`,
} as const satisfies SignalledWorkflow & { updates: Partial<Record<OperationId, string>> };

/** The operations that a claim's workflow executes. */
export type ClaimCommand = keyof typeof claimWorkflow.updates;

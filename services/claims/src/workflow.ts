/** How Temporal starts and addresses a claim's workflow: its ID is the claim's ID. */
import type { OperationId } from '@carecover/contract';
import type { Owner, ResourceWorkflow, ReviewedWorkflows } from '@carecover/platform';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/platform/workflow';
import type { ClaimWorkflowInput } from '@carecover/workflow-claim';
import { findWaiting } from './store/claims';

/** The Update that executes each operation. */
export const updateOf = {
  createClaim: 'submit',
  requestClaimInformation: 'requestInformation',
  submitClaimEvidence: 'submitEvidence',
  adjudicateClaim: 'adjudicate',
  cancelClaim: 'cancel',
  reverseClaim: 'reverse',
} as const satisfies Partial<Record<OperationId, string>>;

export type ClaimCommand = keyof typeof updateOf;

export function isClaimCommand(operation: string): operation is ClaimCommand {
  return Object.hasOwn(updateOf, operation);
}

/** Options with which a claim's workflow is started. */
export function workflowOf(claimId: string, { tenant, environment }: Owner): ResourceWorkflow {
  const input: ClaimWorkflowInput = { resourceId: claimId, tenant, environment };
  return {
    type: 'claim',
    taskQueue: 'claims',
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: environment },
      { key: PROJECT_ID, value: tenant },
    ],
    staticSummary: `Claim ${claimId}`,
  };
}

/** The signal for workflows of claims whose status changed by a settlement or its reversal. */
export const reviewedWorkflows: ReviewedWorkflows = { signal: 'recorded', workflowOf, findWaiting };

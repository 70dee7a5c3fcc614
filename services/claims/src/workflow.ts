/** The claim's workflow as the engine is told of it: its id is the claim's, its queue the service's. */
import type { OperationId } from '@carecover/contract';
import type { ResourceWorkflow } from '@carecover/platform';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/platform/workflow';
import type { ClaimWorkflowInput } from '@carecover/workflow-claim';

export const TASK_QUEUE = 'claims';

/** Which Update carries out which operation. */
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

/** How a claim's workflow is started. */
export function workflowOf(claim: {
  readonly claimId: string;
  readonly tenant: string;
  readonly environment: 'sandbox' | 'production';
}): ResourceWorkflow {
  const input: ClaimWorkflowInput = {
    resourceId: claim.claimId,
    tenant: claim.tenant,
    environment: claim.environment,
  };
  return {
    type: 'claim',
    taskQueue: TASK_QUEUE,
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: claim.environment },
      { key: PROJECT_ID, value: claim.tenant },
    ],
    staticSummary: `Claim ${claim.claimId}`,
  };
}

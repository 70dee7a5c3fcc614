/** How Temporal starts and addresses a remittance's workflow: its ID is the remittance's ID. */
import type { OperationId } from '@carecover/contract';
import type { Owner, ResourceWorkflow } from '@carecover/platform';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/platform/workflow';
import type { RemittanceWorkflowInput } from '@carecover/workflow-remittance';

/** The Update that executes each operation. */
export const updateOf = {
  createRemittance: 'record',
  createSettlement: 'observe',
  reverseSettlement: 'reverse',
} as const satisfies Partial<Record<OperationId, string>>;

export type RemittanceCommand = keyof typeof updateOf;

export function isRemittanceCommand(operation: string): operation is RemittanceCommand {
  return Object.hasOwn(updateOf, operation);
}

/** Options with which a remittance's workflow is started. */
export function workflowOf(remittanceId: string, { tenant, environment }: Owner): ResourceWorkflow {
  const input: RemittanceWorkflowInput = { resourceId: remittanceId, tenant, environment };
  return {
    type: 'remittanceWorkflow',
    taskQueue: 'payments',
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: environment },
      { key: PROJECT_ID, value: tenant },
    ],
    staticSummary: `Remittance of ${tenant}`,
  };
}

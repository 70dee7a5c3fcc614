/** How the remittance's workflow is started, the same wherever it is. */
import type { ResourceWorkflow } from '@carecover/platform';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/platform/workflow';
import type { RemittanceInput } from '@carecover/workflow-remittance';

const TYPE = 'remittanceWorkflow';

export interface WorkflowOwner {
  readonly tenant: string;
  readonly environment: 'sandbox' | 'production';
}

export function workflowOf(remittanceId: string, { tenant, environment }: WorkflowOwner): ResourceWorkflow {
  const input: RemittanceInput = { resourceId: remittanceId, tenant, environment };
  return {
    type: TYPE,
    taskQueue: 'payments',
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: environment },
      { key: PROJECT_ID, value: tenant },
    ],
    staticSummary: `Remittance of ${tenant}`,
  };
}

/** The definition of a remittance's workflow, for the workflow itself and for the payments service, which starts, addresses and signals it. */
import type { ResourceWorkflow } from '@carecover/temporal';

export const remittanceWorkflow = {
  type: 'remittance',
  taskQueue: 'payments',
  summaryOf: ({ tenant }) => `Remittance of ${tenant}`,
} as const satisfies ResourceWorkflow;

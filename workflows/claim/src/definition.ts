/** The definition of a claim's workflow, for the workflow itself and for the claims service, which starts, addresses and signals it. */
import type { ResourceWorkflow } from '@carecover/temporal';

export const claimWorkflow = {
  type: 'claim',
  taskQueue: 'claims',
  summaryOf: ({ id }) => `Claim ${id}`,
} as const satisfies ResourceWorkflow;

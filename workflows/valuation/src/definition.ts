/** The definition of a valuation run's workflow, for the workflow itself and for the claims service, which starts it. */
import type { ResourceWorkflow } from '@carecover/temporal';

export const valuationWorkflow = {
  type: 'valuation',
  taskQueue: 'claims',
  summaryOf: () => 'A valuation run: adds up the valuations of all claims of a project',
} as const satisfies ResourceWorkflow;

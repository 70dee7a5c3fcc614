/** The definition of a bulk job's workflow, for the workflow itself and for the claims service, which starts it. */
import type { ResourceWorkflow } from '@carecover/temporal';

export const bulkJobWorkflow = {
  type: 'bulkJob',
  taskQueue: 'claims',
  summaryOf: () => 'A bulk job: executes the lines of a file',
} as const satisfies ResourceWorkflow;

/**
 * The definition of a pre-authorization's workflow, for the workflow itself and for the benefits service, which starts, addresses and
 * signals it.
 */
import type { ResourceWorkflow } from '@carecover/temporal';

export const preauthorizationWorkflow = {
  type: 'preauthorization',
  taskQueue: 'benefits',
  summaryOf: () => 'A pre-authorization: waits for its decision, then for its use or its end',
} as const satisfies ResourceWorkflow;

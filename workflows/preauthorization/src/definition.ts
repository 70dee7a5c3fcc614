/**
 * The definition of a pre-authorization's workflow, for the workflow itself and for the benefits service, which starts, addresses and
 * signals it.
 */
import type { OperationId } from '@carecover/contract';
import type { SignalledWorkflow } from '@carecover/platform';
import { PREAUTHORIZATION_STATUS } from '@carecover/platform/workflow';

export const preauthorizationWorkflow = {
  type: 'preauthorization',
  taskQueue: 'benefits',
  updates: {
    decidePreauthorization: 'decide',
    cancelPreauthorization: 'cancel',
    expirePreauthorization: 'expire',
  },
  // The Temporal signal that is sent when a claim has used the pre-authorization.
  signal: 'recorded',
  statusAttribute: PREAUTHORIZATION_STATUS,
  summaryOf: () => 'A pre-authorization: waits for its decision, then for its use or its end',
} as const satisfies SignalledWorkflow & { updates: Partial<Record<OperationId, string>> };

/** The Update that cancels a pre-authorization because its booking was cancelled. It also succeeds if the pre-authorization has already ended. */
export const CANCEL_FOR_BOOKING = 'cancelForBooking';

/** The operations that a pre-authorization's workflow executes. */
export type PreauthorizationCommand = keyof typeof preauthorizationWorkflow.updates;

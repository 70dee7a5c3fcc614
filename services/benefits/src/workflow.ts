/**
 * Description of the pre-authorization workflow for its senders: its type, task queue, Updates and signal. The workflow's ID is the
 * pre-authorization's ID.
 */
import type { OperationId } from '@carecover/contract';
import type {
  Log,
  OwnedResource,
  ResourceWorkflow,
  ReviewedWorkflows,
  TemporalCommands,
} from '@carecover/platform';
import type { cancel, cancelForBooking, decide, expire, review } from '@carecover/workflow-preauthorization';
import { findWaiting } from './store/preauthorizations';

type Update = (typeof decide | typeof cancel | typeof expire)['name'];
type Signal = (typeof review)['name'];

export const preauthorizationWorkflow = {
  type: 'preauthorization',
  taskQueue: 'benefits',
  updates: {
    decidePreauthorization: 'decide',
    cancelPreauthorization: 'cancel',
    expirePreauthorization: 'expire',
  },
  // Sent when a claim has released the pre-authorization, or when its deadline is overdue.
  signal: 'wake',
  summaryOf: () => 'A pre-authorization: waits for its decision, then for its use or its end',
} as const satisfies ResourceWorkflow & {
  updates: Partial<Record<OperationId, Update>>;
  signal: Signal;
};

/** The Update that cancels a pre-authorization because its booking is cancelled. It succeeds even if the pre-authorization has ended. */
export const CANCEL_FOR_BOOKING: (typeof cancelForBooking)['name'] = 'cancelForBooking';

/** An API operation that the pre-authorization workflow executes. */
export type PreauthorizationOperation = keyof typeof preauthorizationWorkflow.updates;

/** Configuration for the signals to the workflows of pre-authorizations that claims have released. */
export const reviewedWorkflows: ReviewedWorkflows = { workflow: preauthorizationWorkflow, findWaiting };

/** Starts the workflow of a new pre-authorization without waiting for Temporal. If this fails, a sweep starts the workflow later. */
export function startWorkflow(
  engine: Pick<TemporalCommands, 'ensureRunning'>,
  log: Log,
  preauthorization: OwnedResource,
): void {
  const { id } = preauthorization;
  engine
    .ensureRunning(preauthorizationWorkflow, preauthorization)
    .catch((error: unknown) => log.warn({ err: error, id }, 'workflow not started; a sweep will start it'));
}

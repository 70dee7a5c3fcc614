/**
 * The workflow of a pre-authorization for the rest of the service: how it is started, addressed, sent commands and signalled. Its ID is the
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
  // Claims released the pre-authorization, or a deadline is overdue.
  signal: 'wake',
  summaryOf: () => 'A pre-authorization: waits for its decision, then for its use or its end',
} as const satisfies ResourceWorkflow & {
  updates: Partial<Record<OperationId, Update>>;
  signal: Signal;
};

/** The Update that cancels a pre-authorization with its booking. It also succeeds if there is nothing left to cancel. */
export const CANCEL_FOR_BOOKING: (typeof cancelForBooking)['name'] = 'cancelForBooking';

/** An operation that the workflow executes. */
export type PreauthorizationOperation = keyof typeof preauthorizationWorkflow.updates;

/** The workflows of pre-authorizations that claims released are signalled. */
export const reviewedWorkflows: ReviewedWorkflows = { workflow: preauthorizationWorkflow, findWaiting };

/** Starts the workflow of a new pre-authorization without waiting for Temporal. A sweep starts one that could not be started. */
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

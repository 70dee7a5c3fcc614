/**
 * The workflow of a pre-authorization for the rest of the service: how it is started, addressed, sent commands and signalled. Its ID is the
 * pre-authorization's ID.
 */
import type { OperationId } from '@carecover/contract';
import {
  type Caller,
  type Log,
  type OwnedResource,
  type Owner,
  type ResourceWorkflow,
  type ReviewedWorkflows,
  sendAll,
  type TemporalCommands,
} from '@carecover/platform';
import { ENVIRONMENT, PROJECT_ID } from '@carecover/platform/workflow';
import type {
  cancel,
  cancelForBooking,
  decide,
  expire,
  PreauthorizationWorkflowInput,
  review,
} from '@carecover/workflow-preauthorization';
import { findWaiting } from './store/preauthorizations';

type Update = (typeof decide | typeof cancel | typeof cancelForBooking | typeof expire)['name'];

/** The signal on which a run reads the facts again. */
const REVIEW: (typeof review)['name'] = 'wake';

/** The Update that executes each operation. */
const UPDATES = {
  decidePreauthorization: 'decide',
  cancelPreauthorization: 'cancel',
  expirePreauthorization: 'expire',
} as const satisfies Partial<Record<OperationId, Update>>;

/** An operation that the workflow executes. */
export type PreauthorizationOperation = keyof typeof UPDATES;

export function isPreauthorizationOperation(operation: string): operation is PreauthorizationOperation {
  return Object.hasOwn(UPDATES, operation);
}

/** A cancellation by care is another Update, which also succeeds if there is nothing left to cancel. */
function updateOf(operation: PreauthorizationOperation, { authority }: Caller): Update {
  const isForBooking = operation === 'cancelPreauthorization' && authority === 'service:care';
  return isForBooking ? 'cancelForBooking' : UPDATES[operation];
}

/** Options with which the workflow is started. */
export function workflowOf(preauthorizationId: string, { tenant, environment }: Owner): ResourceWorkflow {
  const input: PreauthorizationWorkflowInput = { resourceId: preauthorizationId, tenant, environment };
  return {
    type: 'preauthorization',
    taskQueue: 'benefits',
    args: [input],
    typedSearchAttributes: [
      { key: ENVIRONMENT, value: environment },
      { key: PROJECT_ID, value: tenant },
    ],
    staticSummary: 'A pre-authorization: waits for its decision, then for its use or its end',
  };
}

/** The signal for workflows of pre-authorizations that claims released. */
export const reviewedWorkflows: ReviewedWorkflows = { signal: REVIEW, workflowOf, findWaiting };

/** Starts the workflow of a new pre-authorization without waiting for Temporal. A sweep starts one that could not be started. */
export function startWorkflow(
  engine: Pick<TemporalCommands, 'ensureRunning'>,
  log: Log,
  { id, ...owner }: OwnedResource,
): void {
  engine
    .ensureRunning(id, workflowOf(id, owner))
    .catch((error: unknown) => log.warn({ err: error, id }, 'workflow not started; a sweep will start it'));
}

/** Starts those of these workflows that do not run. Returns false if Temporal is unavailable. @throws the first rejection */
export function startMissing(
  engine: Pick<TemporalCommands, 'ensureAllRunning'>,
  preauthorizations: readonly OwnedResource[],
): Promise<boolean> {
  return engine.ensureAllRunning(new Map(preauthorizations.map((row) => [row.id, workflowOf(row.id, row)])));
}

/** Signals these workflows to read the facts again, until Temporal is unavailable. @throws the first rejection */
export async function signalReviews(
  engine: Pick<TemporalCommands, 'signalReview'>,
  preauthorizations: readonly OwnedResource[],
): Promise<void> {
  await sendAll(preauthorizations, (row) => engine.signalReview(row.id, workflowOf(row.id, row), REVIEW));
}

/** A command that is sent to the workflow. */
export interface SentOperation {
  readonly id: string;
  readonly resourceId: string;
  readonly updateId: string;
  readonly operation: PreauthorizationOperation;
  readonly caller: Caller;
}

/** Sends a command to the workflow and waits for it. @throws ApiError of the command, or service_unavailable */
export function sendCommand(
  engine: Pick<TemporalCommands, 'command'>,
  { id: commandId, resourceId, updateId, operation, caller }: SentOperation,
): Promise<void> {
  const message = { commandId, authority: caller.authority, requestId: caller.requestId };
  const workflow = workflowOf(resourceId, caller);
  return engine.command(resourceId, workflow, updateOf(operation, caller), message, updateId);
}

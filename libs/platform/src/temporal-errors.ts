/** Tells an engine that is away from a command that was refused. */

import { isErrorCode } from '@carecover/contract';
import {
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { ApiError } from './api-error';
import { CommandGone } from './commands';
import { API_ERROR_FAILURE, COMMAND_GONE_FAILURE } from './workflow/failures';

/** True where Temporal did not answer in time or at all. The outcome is then unknown, and the retry finds it. */
export function isTemporalAway(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || error instanceof ServiceError) return true;
  return isGrpcServiceError(error);
}

const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;

/** Whether the error says that Temporal's server does not answer: by the client, or by the worker's own connection. */
export function isTemporalUnreachable(error: Error): boolean {
  if (isGrpcServiceError(error)) return error.code === UNAVAILABLE || error.code === DEADLINE_EXCEEDED;
  // Of a package that the workers alone load.
  return error.name === 'TransportError';
}

const NOT_FOUND = 5;
const ABORTED = 10;

/** How the engine tells that a run ended, or was terminated, before an Update that it had accepted was done. */
const ACCEPTED_BUT_ENDED = 'AcceptedUpdateCompletedWorkflow';

/** True where the run that was found ended before it was done with what was sent. A new run takes it up, from the facts. */
export function hasRunEnded(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  if (error instanceof WorkflowUpdateFailedError) {
    return error.cause instanceof ApplicationFailure && error.cause.type === ACCEPTED_BUT_ENDED;
  }
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code === NOT_FOUND || cause.code === ABORTED);
}

/** The rejection or gone command that a workflow's failure carries, however deep; else the error itself. */
export function unwrapFailure(error: unknown): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof ApplicationFailure)) continue;
    if (cause.type === COMMAND_GONE_FAILURE) return new CommandGone(cause.message);
    if (cause.type !== API_ERROR_FAILURE) continue;
    const [code] = (cause.details ?? []) as unknown[];
    if (typeof code === 'string' && isErrorCode(code)) return new ApiError(code, cause.message);
  }
  return error;
}

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

/** gRPC's status codes, of a package that is Temporal's own dependency. */
const status = {
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** True where Temporal did not answer in time or at all. The outcome is then unknown, and the retry finds it. */
export function isTemporalAway(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || error instanceof ServiceError) return true;
  return isGrpcServiceError(error);
}

/** Whether the error says that Temporal's server does not answer: by the client, or by the worker's own connection. */
export function isTemporalUnreachable(error: Error): boolean {
  if (isGrpcServiceError(error))
    return error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED;
  // Of a package that the workers alone load.
  return error.name === 'TransportError';
}

/** What a gRPC server answers to a request that it will reject again, as long as neither the request nor its settings change. */
const REJECTIONS: ReadonlySet<number> = new Set([
  status.INVALID_ARGUMENT,
  status.ALREADY_EXISTS,
  status.PERMISSION_DENIED,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.UNIMPLEMENTED,
  status.UNAUTHENTICATED,
]);

/** True where Temporal received the request and rejected it, so that the same request does not succeed by being repeated soon. */
export function isTemporalRejection(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && REJECTIONS.has(cause.code);
}

/** How the engine tells that a run ended, or was terminated, before an Update that it had accepted was done. */
const ACCEPTED_BUT_ENDED = 'AcceptedUpdateCompletedWorkflow';

/** True where the run that was found ended before it was done with what was sent. A new run takes it up, from the facts. */
export function hasRunEnded(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  if (error instanceof WorkflowUpdateFailedError) {
    return error.cause instanceof ApplicationFailure && error.cause.type === ACCEPTED_BUT_ENDED;
  }
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code === status.NOT_FOUND || cause.code === status.ABORTED);
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

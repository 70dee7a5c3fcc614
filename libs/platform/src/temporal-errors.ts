/** Classifies the errors of requests to Temporal: Temporal is unavailable, Temporal rejects the request, or the run has ended. */

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

/** gRPC status codes. Their values are copied from the package that defines them, because only Temporal's SDK depends on that package. */
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

/** Returns whether Temporal did not respond in time. Whether the request had an effect is then unknown. */
export function isTemporalUnavailable(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || error instanceof ServiceError) return true;
  return isGrpcServiceError(error);
}

/** Returns whether the error, of the client or of the worker's connection, means that Temporal's server does not respond. */
export function isTemporalUnreachable(error: Error): boolean {
  if (isGrpcServiceError(error))
    return error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED;
  // The error is recognized by its name, because its class is in a package that only workers load.
  return error.name === 'TransportError';
}

/** Status codes of requests that Temporal rejects on every attempt until the request or the server's settings change. */
const REJECTIONS: ReadonlySet<number> = new Set([
  status.INVALID_ARGUMENT,
  status.ALREADY_EXISTS,
  status.PERMISSION_DENIED,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.UNIMPLEMENTED,
  status.UNAUTHENTICATED,
]);

/** Returns whether Temporal received the request and rejected it, so that a retry after a short pause would be rejected too. */
export function isTemporalRejection(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && REJECTIONS.has(cause.code);
}

/** Temporal's failure type for an accepted Update whose run ended or was terminated before the Update completed. */
const ACCEPTED_BUT_ENDED = 'AcceptedUpdateCompletedWorkflow';

/** Returns whether the run ended before it handled the Update or signal. A new run reads the facts and can handle it. */
export function hasRunEnded(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  if (error instanceof WorkflowUpdateFailedError) {
    return error.cause instanceof ApplicationFailure && error.cause.type === ACCEPTED_BUT_ENDED;
  }
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code === status.NOT_FOUND || cause.code === status.ABORTED);
}

/** Returns whether Temporal did not admit an Update because the last workflow tasks of the run failed or timed out. */
export function areTasksFailing(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && cause.code === status.FAILED_PRECONDITION;
}

/** Returns the API error or the CommandGone that caused a workflow's failure; the error itself if it has neither cause. */
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

/** Classifies the errors of requests to Temporal: Temporal is unavailable, or it rejects the request. */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';

/** gRPC status codes. Their values are copied from the package that defines them, because only Temporal's SDK depends on that package. */
const status = {
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  FAILED_PRECONDITION: 9,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** Returns whether Temporal did not respond in time. Whether the request had an effect is then unknown. */
export function isTemporalUnavailable(error: unknown): boolean {
  return error instanceof ServiceError || isGrpcServiceError(error);
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

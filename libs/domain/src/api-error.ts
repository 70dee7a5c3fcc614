/**
 * The error that a client receives: an error code of the API's contract with a public message. Every other error that is thrown is an
 * internal error, which clients receive as 500 without its text.
 */
import { type ErrorCode, errorStatus } from '@carecover/contract';

export class ApiError extends Error {
  /**
   * Creates an API error.
   *
   * @param code the contract's error code, which determines the HTTP status
   * @param message public text; it names an invalid field by its JSON pointer
   * @param retryAfterSeconds value of the `Retry-After` header, for 429 and 503
   * @example throw new ApiError('validation_failed', '/due_at must be in the future');
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Returns whether the error is an API error that rejects a request: a repetition of the request would have the same result. */
export function isRejection(error: unknown): error is ApiError {
  return error instanceof ApiError && errorStatus(error.code) < 500;
}

/** Returns whether the error says that a dependency does not respond: a repetition of the request can succeed. */
export function isUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'service_unavailable';
}

/**
 * Makes the error for a resource that the client's project does not have. Resources of other projects get the same error.
 *
 * @param pointer JSON pointer to the field of the body that names the resource; without it, the path names the resource
 */
export function notFound(pointer?: string): ApiError {
  const message =
    pointer === undefined
      ? 'The resource does not exist in this project: check its ID.'
      : `${pointer} names a resource that does not exist in this project: check the ID.`;
  return new ApiError('resource_not_found', message);
}

/**
 * Makes the error for a dependency that does not respond. A client can retry a write under the same idempotency key without a second
 * effect.
 *
 * @param what the dependency, as the subject of the message
 * @example throw unavailable('The worker');
 */
export function unavailable(what: string, retryAfterSeconds = 1): ApiError {
  return new ApiError(
    'service_unavailable',
    `${what} is temporarily unavailable: retry the request.`,
    retryAfterSeconds,
  );
}

/** Returns the element of a list that a value of a body is. @throws ApiError validation_failed if it is none */
export function requireOneOf<T extends string>(values: readonly T[], value: unknown, pointer: string): T {
  const found = values.find((each) => each === value);
  if (found === undefined)
    throw new ApiError('validation_failed', `${pointer} must be one of ${values.join(', ')}.`);
  return found;
}

/**
 * Checks that a repeated request is the one for which its idempotency key was used first.
 *
 * @param stored the hash of the first request
 * @throws ApiError idempotency_conflict if the hashes differ
 */
export function requireSameRequest(stored: Buffer, requestHash: Buffer): void {
  if (stored.equals(requestHash)) return;
  throw new ApiError(
    'idempotency_conflict',
    '/headers/Idempotency-Key was used for another request: send a new key',
  );
}

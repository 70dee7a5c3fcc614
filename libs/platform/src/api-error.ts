/**
 * The one error that means "the caller is told so": a code of the contract with a message. Anything else that is
 * thrown is a fault of ours, answered 500 without its text.
 */
import type { ErrorCode } from '@carecover/contract';

export class ApiError extends Error {
  /**
   * @param code   the contract's error code; its status follows from it
   * @param message public text; names the offending field as a JSON pointer where there is one
   * @param retryAfterSeconds for 429 and 503
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

/** The resource does not exist for this project; the same answer whether it is absent or another project's. */
export function notFound(): ApiError {
  return new ApiError('resource_not_found', 'There is no such resource.');
}

/** A part that the request needs is away; the retry under the same key ends in one effect. */
export function unavailable(what: string, retryAfterSeconds = 1): ApiError {
  return new ApiError('service_unavailable', `${what} is not available at the moment.`, retryAfterSeconds);
}

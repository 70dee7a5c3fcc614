/** Makes the HTTP response for an error: the error body of the contract, without internal details. */
import { errorDocs, errorStatus } from '@carecover/contract';
import { ApiError, unavailable } from '@carecover/domain';
import { isDatabaseUnavailable, isDeadlock } from '@carecover/postgres';
import { isTemporalUnavailable } from '@carecover/temporal';

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: { readonly code: string; readonly message: string; readonly docs: string };
  };
  /** Whether the error is not an {@link ApiError}, so that it must be logged in full. */
  readonly isUnexpected: boolean;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseUnavailable(error) || isDeadlock(error) || isTemporalUnavailable(error))
    return unavailable('A part of the service');
  return new ApiError('internal_error', 'An internal error occurred: retry the request later.');
}

/**
 * Makes the response for any thrown value: an {@link ApiError} as the contract defines it, 503 if PostgreSQL or Temporal is
 * unavailable or a transaction was ended because of a deadlock, 500 otherwise.
 *
 * @param origin origin of the API's public URL, for the link to the documentation; empty in a service, because the gateway adds it
 */
export function errorResponse(error: unknown, origin = ''): ErrorResponse {
  const { code, message, retryAfterSeconds = 1 } = toApiError(error);
  const status = errorStatus(code);
  const headers: Record<string, string> = {};
  if (status === 503 || status === 429) headers['Retry-After'] = String(retryAfterSeconds);
  return {
    status,
    headers,
    body: { error: { code, message, docs: errorDocs(origin, code) } },
    isUnexpected: !(error instanceof ApiError),
  };
}

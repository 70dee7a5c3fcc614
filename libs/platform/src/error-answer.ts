/** How whatever was thrown is told to a caller: the contract's envelope, and never an internal detail. */
import { errorDocs, errorStatus } from '@carecover/contract';
import { ApiError, unavailable } from './api-error';
import { isDatabaseAway } from './postgres';
import { isTemporalAway } from './temporal-errors';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: { readonly code: string; readonly message: string; readonly docs: string };
  };
  /** True where the cause is ours and must be logged in full. */
  readonly fault: boolean;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseAway(error) || isTemporalAway(error)) return unavailable('A part of the service');
  return new ApiError('internal_error', 'Something went wrong on our side.');
}

/** @param origin of the public address, which the gateway knows and puts into a service's answers too */
export function errorAnswer(error: unknown, origin = ''): ErrorAnswer {
  const rejection = toApiError(error);
  const status = errorStatus(rejection.code);
  const headers: Record<string, string> = {};
  if (status === 503 || status === 429) headers['Retry-After'] = String(rejection.retryAfterSeconds ?? 1);
  return {
    status,
    headers,
    body: {
      error: { code: rejection.code, message: rejection.message, docs: errorDocs(origin, rejection.code) },
    },
    fault: !(error instanceof ApiError),
  };
}

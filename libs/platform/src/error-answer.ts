/** How whatever was thrown is told to a caller: the contract's envelope, and never an internal detail. */
import { errorDocs, errorStatus } from '@carecover/contract';
import { isDatabaseAway } from './postgres';
import { Refusal, unavailable } from './refusal';
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

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseAway(error) || isTemporalAway(error)) return unavailable('A part of the service');
  return new Refusal('internal_error', 'Something went wrong on our side.');
}

/** @param origin of the public address, which the gateway knows and puts into a service's answers too */
export function errorAnswer(error: unknown, origin = ''): ErrorAnswer {
  const refusal = toRefusal(error);
  const status = errorStatus(refusal.code);
  const headers: Record<string, string> = {};
  if (status === 503 || status === 429) headers['Retry-After'] = String(refusal.retryAfterSeconds ?? 1);
  return {
    status,
    headers,
    body: { error: { code: refusal.code, message: refusal.message, docs: errorDocs(origin, refusal.code) } },
    fault: !(error instanceof Refusal),
  };
}

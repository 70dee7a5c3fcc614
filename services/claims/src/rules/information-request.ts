/** The deadline of an information request, and its lapse: a request without a response at its deadline has ended, whether or not a timer fired. */
import { type InformationRequestInput, parseInstant } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { Change } from './recording';
import type { From } from './transitions';

/** A claim's open information request. */
export interface OpenRequest {
  readonly id: string;
  readonly dueAt: Date | null;
}

/** Returns the deadline, or null for none. @param now epoch milliseconds @throws ApiError validation_failed if it is not in the future */
export function checkDueAt({ due_at }: Pick<InformationRequestInput, 'due_at'>, now: number): Date | null {
  if (due_at == null) return null;
  const dueAt = parseInstant(due_at);
  if (dueAt <= now) throw new ApiError('validation_failed', '/due_at must be in the future');
  return new Date(dueAt);
}

/** The end of an information request at its deadline, which returns its claim to `submitted`. */
export interface Lapse {
  readonly dueAt: Date;
  readonly change: Change;
}

/** Returns the lapse of the open request of a claim with this status if its deadline has passed at `now` (epoch milliseconds), or null. */
export function lapseAt(now: number, status: From, request: OpenRequest | null): Lapse | null {
  const dueAt = status === 'queried' ? request?.dueAt : null;
  if (request === null || dueAt == null || dueAt.getTime() > now) return null;
  return {
    dueAt,
    change: {
      move: 'lapse',
      cause: request.id,
      authority: 'service:claims',
      effectiveAt: dueAt.getTime(),
      reasonCode: 'information_request_lapsed',
    },
  };
}

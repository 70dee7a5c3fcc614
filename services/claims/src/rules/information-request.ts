/**
 * The deadline of an information request, its lapse, and the maximum number of a claim's information requests. An information request
 * without a response has ended at its deadline, even if the workflow's timer has not fired yet.
 */
import { CLAIM_REQUEST_LIMIT, type InformationRequestInput, parseInstant } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Change } from './recording';
import type { From } from './transitions';

/** A claim's open information request. */
export interface OpenRequest {
  readonly id: string;
  readonly dueAt: Date | null;
}

/**
 * Returns the deadline of a new information request; null if the request has no `due_at`.
 *
 * @param now current time in epoch milliseconds
 * @throws ApiError validation_failed if the deadline is not in the future
 */
export function checkDueAt({ due_at }: Pick<InformationRequestInput, 'due_at'>, now: number): Date | null {
  if (due_at == null) return null;
  const dueAt = parseInstant(due_at);
  if (dueAt <= now) throw new ApiError('validation_failed', '/due_at must be in the future');
  return new Date(dueAt);
}

/**
 * Returns the number of a claim's next information request. The number is limited, because the claim's resource contains every information
 * request.
 *
 * @param count number of the claim's information requests, ended ones included
 * @throws ApiError invalid_state if the claim has the maximum number of information requests
 */
export function nextRequestNumber(count: number): number {
  if (count < CLAIM_REQUEST_LIMIT) return count + 1;
  throw new ApiError(
    'invalid_state',
    `The claim has ${CLAIM_REQUEST_LIMIT} information requests, the maximum.`,
  );
}

/** The end of an information request at its deadline, which returns its claim to `submitted`. */
export interface Lapse {
  readonly dueAt: Date;
  readonly change: Change;
}

/**
 * Returns the lapse of a claim's information request at `now` (epoch milliseconds); null if no request is open, or if the open request has
 * no deadline or a later one.
 */
export function lapseAt(now: number, status: From, request: OpenRequest | null): Lapse | null {
  const dueAt = status === 'queried' ? request?.dueAt : null;
  if (request === null || dueAt == null || dueAt.getTime() > now) return null;
  return {
    dueAt,
    change: {
      transition: 'lapse',
      cause: request.id,
      authority: 'service:claims',
      effectiveAt: dueAt.getTime(),
      reasonCode: 'information_request_lapsed',
    },
  };
}

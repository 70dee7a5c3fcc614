/**
 * The state of a pre-authorization, its deadline and its end. Pure: every rule receives the locked row's state and the current time, so a
 * command after the deadline is rejected even if the workflow's timer is late.
 */
import { PREAUTHORIZATION_DECISION_MS, type PreauthorizationStatus } from '@carecover/contract';
import { ApiError } from '@carecover/domain';

export interface PreauthorizationState {
  readonly status: PreauthorizationStatus;
  /** The deadline for the payer's decision: 14 days after the creation, or the session's start if that is earlier and was ahead. */
  readonly decideBy: Date;
  /** Whether an approval is in progress. During an approval the deadline `decideBy` counts as met. */
  readonly isBeingApproved: boolean;
  readonly validUntil: Date | null;
  readonly usedByClaimId: string | null;
  /** The requested amount in minor units of the currency. */
  readonly requestedAmount: number;
}

/**
 * Returns the deadline for the payer's decision: the earlier of 14 days after the creation and the session's start; of a session that has
 * started, 14 days after the creation.
 */
export function decideBy(createdAt: Date, sessionStartsAt: Date): Date {
  const latest = createdAt.getTime() + PREAUTHORIZATION_DECISION_MS;
  const start = sessionStartsAt.getTime();
  return new Date(start <= createdAt.getTime() ? latest : Math.min(latest, start));
}

/**
 * Returns when the pre-authorization expires if no further command changes it; null if a pre-authorization with the given state can't
 * expire.
 */
export function deadlineOf(state: PreauthorizationState): Date | null {
  if (state.status === 'pending') return state.isBeingApproved ? null : state.decideBy;
  if (state.status === 'approved') return state.usedByClaimId === null ? state.validUntil : null;
  return null;
}

/** Returns whether the pre-authorization's deadline has passed while its row is still pending or approved. */
export function isDue(state: PreauthorizationState, now: Date): boolean {
  const deadline = deadlineOf(state);
  return deadline !== null && deadline <= now;
}

/** Returns whether the pre-authorization is pending or approved and its deadline has not passed. A booking has at most one such. */
export function isOpen(state: PreauthorizationState, now: Date): boolean {
  return (state.status === 'pending' || state.status === 'approved') && !isDue(state, now);
}

/** Returns the pre-authorization's status at `now`: `expired` after the deadline, even if the expiry is not recorded yet. */
export function statusAt(state: PreauthorizationState, now: Date): PreauthorizationStatus {
  return isDue(state, now) ? 'expired' : state.status;
}

/**
 * Checks that a command can end the pre-authorization: a cancellation, or the sandbox operation that expires it early. An approval in
 * progress has ended before, because care may have confirmed the booking already.
 *
 * @throws ApiError invalid_state if the pre-authorization has ended or a claim uses it
 */
export function checkEnd(state: PreauthorizationState, now: Date, end: 'cancelled' | 'expired'): void {
  const status = statusAt(state, now);
  if (status !== 'pending' && status !== 'approved') {
    throw new ApiError('invalid_state', `The pre-authorization is ${status} and can no longer be ${end}.`);
  }
  if (state.usedByClaimId !== null) {
    throw new ApiError('invalid_state', `The pre-authorization is used by a claim and can't be ${end}.`);
  }
}

/**
 * The state of a pre-authorization, its deadline and its end. Pure: every rule receives the locked row's state and the time, so a late
 * timer never lets a command through after the deadline.
 */
import type { PreauthorizationStatus } from '@carecover/contract';
import { ApiError } from '@carecover/platform';

export interface PreauthorizationState {
  readonly status: PreauthorizationStatus;
  /** The earlier of 14 days after its creation and the session's start. */
  readonly decideBy: Date;
  /** Whether an approval is in progress. While it is, `decideBy` counts as met. */
  readonly isBeingApproved: boolean;
  readonly validUntil: Date | null;
  readonly usedByClaimId: string | null;
  /** In minor units. */
  readonly requestedAmount: number;
}

/** Returns when it expires without a further command; null if it can't expire in this state. */
export function deadlineOf(state: PreauthorizationState): Date | null {
  if (state.status === 'pending') return state.isBeingApproved ? null : state.decideBy;
  if (state.status === 'approved') return state.usedByClaimId === null ? state.validUntil : null;
  return null;
}

/** Returns whether its deadline has passed, also if its expiry is not recorded yet. */
export function isDue(state: PreauthorizationState, now: Date): boolean {
  const deadline = deadlineOf(state);
  return deadline !== null && deadline <= now;
}

/** Returns whether it is pending or approved and not due; a booking has at most one such. */
export function isOpen(state: PreauthorizationState, now: Date): boolean {
  return (state.status === 'pending' || state.status === 'approved') && !isDue(state, now);
}

/** Returns its status at `now`, also if its expiry is not recorded yet. */
export function statusAt(state: PreauthorizationState, now: Date): PreauthorizationStatus {
  return isDue(state, now) ? 'expired' : state.status;
}

/**
 * Checks that a command can end it: a cancellation, or the expiry by the test helper of the sandbox.
 *
 * @throws ApiError invalid_state if it has ended or a claim uses it
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

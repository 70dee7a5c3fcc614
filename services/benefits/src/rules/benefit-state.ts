/**
 * The state of a pre-authorization, the commands that it accepts and its deadline. Pure: every rule receives the locked row's state and
 * the time, so a late timer never lets a command through after the deadline.
 */
import type { PreauthorizationDecisionInput, PreauthorizationStatus } from '@carecover/contract';
import { parseInstant } from '@carecover/contract';
import { ApiError } from '@carecover/platform';

export interface BenefitState {
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
export function deadlineOf(state: BenefitState): Date | null {
  if (state.status === 'pending') return state.isBeingApproved ? null : state.decideBy;
  if (state.status === 'approved') return state.usedByClaimId === null ? state.validUntil : null;
  return null;
}

/** Returns whether its deadline has passed, also if its expiry is not recorded yet. */
export function isDue(state: BenefitState, now: Date): boolean {
  const deadline = deadlineOf(state);
  return deadline !== null && deadline <= now;
}

/** Returns whether it is pending or approved and not due; a booking has at most one such. */
export function isOpen(state: BenefitState, now: Date): boolean {
  return (state.status === 'pending' || state.status === 'approved') && !isDue(state, now);
}

function statusAt(state: BenefitState, now: Date): PreauthorizationStatus {
  return isDue(state, now) ? 'expired' : state.status;
}

/** Checks a decision; only a pending one can be decided. @throws ApiError invalid_state, amount_exceeds_request, valid_until_in_past */
export function checkDecision(state: BenefitState, decision: PreauthorizationDecisionInput, now: Date): void {
  const status = statusAt(state, now);
  if (status !== 'pending') {
    throw new ApiError(
      'invalid_state',
      `The pre-authorization is ${status}: it can be decided only while pending.`,
    );
  }
  if (state.isBeingApproved) {
    throw new ApiError('invalid_state', 'The pre-authorization is being approved by another decision.');
  }
  if (decision.outcome === 'denied') return;
  if (decision.approved_amount > state.requestedAmount) {
    throw new ApiError(
      'amount_exceeds_request',
      `/approved_amount must be at most the requested ${state.requestedAmount}.`,
    );
  }
  checkValidity(decision, now);
}

/** Checks that `valid_until` is in the future: when a decision begins and again at its commit. @throws ApiError valid_until_in_past */
export function checkValidity(decision: { readonly valid_until: string }, now: Date): void {
  if (parseInstant(decision.valid_until) <= now.getTime()) {
    throw new ApiError(
      'valid_until_in_past',
      `/valid_until must be in the future when the decision takes effect: the current time is ${now.toISOString()}.`,
    );
  }
}

/** Checks a cancellation. @throws ApiError invalid_state if it has ended or a claim uses it */
export function checkCancellation(state: BenefitState, now: Date): void {
  checkEnding(state, now, 'cancelled');
}

/** Checks an expiry by the test helper of the sandbox. @throws ApiError invalid_state if it has ended or a claim uses it */
export function checkExpiry(state: BenefitState, now: Date): void {
  checkEnding(state, now, 'expired');
}

function checkEnding(state: BenefitState, now: Date, end: 'cancelled' | 'expired'): void {
  const status = statusAt(state, now);
  if (status !== 'pending' && status !== 'approved') {
    throw new ApiError('invalid_state', `The pre-authorization is ${status} and can no longer be ${end}.`);
  }
  if (state.usedByClaimId !== null) {
    throw new ApiError('invalid_state', `The pre-authorization is used by a claim and can't be ${end}.`);
  }
}

/** Returns whether a claim can use it: it is approved, not due, and not used by another claim. */
export function isUsableBy(state: BenefitState, claimId: string, now: Date): boolean {
  if (state.status !== 'approved' || isDue(state, now)) return false;
  return state.usedByClaimId === null || state.usedByClaimId === claimId;
}

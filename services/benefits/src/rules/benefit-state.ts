/**
 * How a pre-authorization stands, what may be done to it and when it lapses. Pure: the row as it is under its lock and the
 * clock come in as values, so that a late timer never lets an expired thing through.
 */
import type { PreauthorizationDecisionInput, PreauthorizationStatus } from '@carecover/contract';
import { parseInstant } from '@carecover/contract';
import { ApiError } from '@carecover/platform';

export interface BenefitState {
  readonly status: PreauthorizationStatus;
  /** The earlier of 14 days after its creation and the session's start. */
  readonly decideBy: Date;
  /** While an approval is being carried out, the deadline to decide has been met. */
  readonly isBeingApproved: boolean;
  readonly validUntil: Date | null;
  readonly usedByClaimId: string | null;
  /** Minor units. */
  readonly requestedAmount: number;
}

/** When it expires if nothing happens; null where nothing can make it expire as it stands. */
export function deadlineOf(state: BenefitState): Date | null {
  if (state.status === 'pending') return state.isBeingApproved ? null : state.decideBy;
  if (state.status === 'approved') return state.usedByClaimId === null ? state.validUntil : null;
  return null;
}

/** Whether it has reached its deadline: it is expired in all but name. */
export function isDue(state: BenefitState, now: Date): boolean {
  const deadline = deadlineOf(state);
  return deadline !== null && deadline <= now;
}

/** Whether it still keeps its booking from having another one. */
export function isOpen(state: BenefitState, now: Date): boolean {
  return (state.status === 'pending' || state.status === 'approved') && !isDue(state, now);
}

function statusAt(state: BenefitState, now: Date): PreauthorizationStatus {
  return isDue(state, now) ? 'expired' : state.status;
}

/** @throws ApiError invalid_state, amount_exceeds_request, valid_until_in_past; decides only from pending */
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

/** Evaluated when a decision begins and again at its commit. @throws ApiError valid_until_in_past */
export function checkValidity(decision: { readonly valid_until: string }, now: Date): void {
  if (parseInstant(decision.valid_until) <= now.getTime()) {
    throw new ApiError(
      'valid_until_in_past',
      `/valid_until must be in the future when the decision takes effect: it is ${now.toISOString()} now.`,
    );
  }
}

/** @throws ApiError invalid_state where it is over already, or a claim uses it */
export function checkCancellation(state: BenefitState, now: Date): void {
  checkEnding(state, now, 'cancelled');
}

/** For the test helper, which brings the deadline about. @throws ApiError invalid_state as for a cancellation */
export function checkExpiry(state: BenefitState, now: Date): void {
  checkEnding(state, now, 'expired');
}

function checkEnding(state: BenefitState, now: Date, end: 'cancelled' | 'expired'): void {
  const status = statusAt(state, now);
  if (status !== 'pending' && status !== 'approved') {
    throw new ApiError('invalid_state', `The pre-authorization is ${status} and can't be ${end} any more.`);
  }
  if (state.usedByClaimId !== null) {
    throw new ApiError('invalid_state', `The pre-authorization is used by a claim and can't be ${end}.`);
  }
}

/** Whether a claim may use it: approved, not past its end, and free or used by this very claim. */
export function isUsableBy(state: BenefitState, claimId: string, now: Date): boolean {
  if (state.status !== 'approved' || isDue(state, now)) return false;
  return state.usedByClaimId === null || state.usedByClaimId === claimId;
}

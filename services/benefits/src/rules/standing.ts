/**
 * How a pre-authorization stands, what may be done to it and when it lapses. Pure: the row as it is under its lock and the
 * clock come in as values, so that a late timer never lets an expired thing through.
 */
import type { PreauthorizationDecisionInput, PreauthorizationStatus } from '@carecover/contract';
import { parseInstant } from '@carecover/contract';
import { Refusal } from '@carecover/platform';

export interface Standing {
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
export function deadlineOf(standing: Standing): Date | null {
  if (standing.status === 'pending') return standing.isBeingApproved ? null : standing.decideBy;
  if (standing.status === 'approved') return standing.usedByClaimId === null ? standing.validUntil : null;
  return null;
}

/** Whether it has reached its deadline: it is expired in all but name. */
export function isDue(standing: Standing, now: Date): boolean {
  const deadline = deadlineOf(standing);
  return deadline !== null && deadline <= now;
}

/** Whether it still keeps its booking from having another one. */
export function isOpen(standing: Standing, now: Date): boolean {
  return (standing.status === 'pending' || standing.status === 'approved') && !isDue(standing, now);
}

function statusAt(standing: Standing, now: Date): PreauthorizationStatus {
  return isDue(standing, now) ? 'expired' : standing.status;
}

/** @throws Refusal invalid_state, amount_exceeds_request, valid_until_in_past; decides only from pending */
export function checkDecision(standing: Standing, decision: PreauthorizationDecisionInput, now: Date): void {
  const status = statusAt(standing, now);
  if (status !== 'pending') {
    throw new Refusal(
      'invalid_state',
      `The pre-authorization is ${status}: it can be decided only while pending.`,
    );
  }
  if (standing.isBeingApproved) {
    throw new Refusal('invalid_state', 'The pre-authorization is being approved by another decision.');
  }
  if (decision.outcome === 'denied') return;
  if (decision.approved_amount > standing.requestedAmount) {
    throw new Refusal(
      'amount_exceeds_request',
      `/approved_amount must be at most the requested ${standing.requestedAmount}.`,
    );
  }
  checkValidity(decision, now);
}

/** Evaluated when a decision begins and again at its commit. @throws Refusal valid_until_in_past */
export function checkValidity(decision: { readonly valid_until: string }, now: Date): void {
  if (parseInstant(decision.valid_until) <= now.getTime()) {
    throw new Refusal(
      'valid_until_in_past',
      `/valid_until must be in the future when the decision takes effect: it is ${now.toISOString()} now.`,
    );
  }
}

/** @throws Refusal invalid_state where it is over already, or a claim uses it */
export function checkCancellation(standing: Standing, now: Date): void {
  checkEnding(standing, now, 'cancelled');
}

/** For the test helper, which brings the deadline about. @throws Refusal invalid_state as for a cancellation */
export function checkExpiry(standing: Standing, now: Date): void {
  checkEnding(standing, now, 'expired');
}

function checkEnding(standing: Standing, now: Date, end: 'cancelled' | 'expired'): void {
  const status = statusAt(standing, now);
  if (status !== 'pending' && status !== 'approved') {
    throw new Refusal('invalid_state', `The pre-authorization is ${status} and can't be ${end} any more.`);
  }
  if (standing.usedByClaimId !== null) {
    throw new Refusal('invalid_state', `The pre-authorization is used by a claim and can't be ${end}.`);
  }
}

/** Whether a claim may use it: approved, not past its end, and free or used by this very claim. */
export function isUsableBy(standing: Standing, claimId: string, now: Date): boolean {
  if (standing.status !== 'approved' || isDue(standing, now)) return false;
  return standing.usedByClaimId === null || standing.usedByClaimId === claimId;
}

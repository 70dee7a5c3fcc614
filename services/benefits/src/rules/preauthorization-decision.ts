/**
 * The rules for a payer's decision on a pre-authorization. An approval is checked before care confirms the booking and again after that,
 * because the confirmation can take any time. Pure functions.
 */
import {
  type PreauthorizationDecision,
  type PreauthorizationDecisionInput,
  parseInstant,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { type PreauthorizationState, statusAt } from './preauthorization-expiry';

/**
 * Checks a payer's decision on a pre-authorization that no other approval in progress has.
 *
 * @throws ApiError invalid_state if the pre-authorization is not pending; amount_exceeds_request, valid_until_in_past
 */
export function checkDecision(
  state: PreauthorizationState,
  decision: PreauthorizationDecisionInput,
  now: Date,
): void {
  requirePending(statusAt(state, now));
  if (decision.outcome === 'denied') return;
  if (decision.approved_amount > state.requestedAmount) {
    throw new ApiError(
      'amount_exceeds_request',
      `/approved_amount must be at most the requested ${state.requestedAmount}.`,
    );
  }
  checkValidity(decision, now);
}

/**
 * Checks an approval that {@link checkDecision} accepted, in the transaction that records it.
 *
 * @throws ApiError invalid_state if the pre-authorization is no longer pending; valid_until_in_past
 */
export function checkApprovalAtCommit(
  { status }: PreauthorizationState,
  decision: { readonly valid_until: string },
  now: Date,
): void {
  // The deadline (decide_by) is not checked: it was met when the approval began.
  requirePending(status);
  checkValidity(decision, now);
}

function requirePending(status: PreauthorizationState['status']): void {
  if (status !== 'pending') {
    throw new ApiError(
      'invalid_state',
      `The pre-authorization is ${status}: it can be decided only while pending.`,
    );
  }
}

/** Checks that `valid_until` is in the future. @throws ApiError valid_until_in_past */
function checkValidity(decision: { readonly valid_until: string }, now: Date): void {
  if (parseInstant(decision.valid_until) <= now.getTime()) {
    throw new ApiError(
      'valid_until_in_past',
      `/valid_until must be in the future when the decision takes effect: the current time is ${now.toISOString()}.`,
    );
  }
}

/** Returns the time of an approval: the time of its reservation, or `now` if the reservation is later because the clock was set back. */
export function approvedAt(reservedAt: Date, now: Date): Date {
  return new Date(Math.min(reservedAt.getTime(), now.getTime()));
}

/** The resources on which every decision on a pre-authorization relies. */
export interface DecidedPreauthorization {
  readonly eligibilityCheckId: string;
  readonly bookingId: string;
  readonly coverageObservationId: string;
}

/** Returns the decision resource that is recorded for a payer's decision. */
export function decisionOf(
  input: PreauthorizationDecisionInput,
  decided: DecidedPreauthorization,
  { id, authority, at }: { readonly id: string; readonly authority: string; readonly at: Date },
): PreauthorizationDecision {
  return {
    id,
    object: 'preauthorization_decision',
    version: 1,
    outcome: input.outcome,
    reason_codes: input.reason_codes,
    policy: { reference: input.policy_reference, version: input.policy_version },
    authority_reference: authority,
    evidence_references: [
      ...input.evidence_references,
      decided.eligibilityCheckId,
      decided.bookingId,
      decided.coverageObservationId,
    ],
    decided_at: at.toISOString(),
  };
}

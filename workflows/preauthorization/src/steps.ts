/**
 * Steps of the pre-authorization's workflow in the benefits service, executed as local activities. A step that is repeated after a crash
 * has no second effect. API errors have codes of the API contract; a step that rejects a command has deleted the command row. Times in ISO
 * 8601 UTC.
 */
import type { Environment, PreauthorizationStatus } from '@carecover/contract';
import { localSteps } from '@carecover/platform/workflow';

/** The state of a pre-authorization after a step. */
export interface PreauthorizationReport {
  readonly status: PreauthorizationStatus;
  /** When the pre-authorization expires if no command changes it before; null if it can't expire in this state. */
  readonly deadline: string | null;
  /** Milliseconds until the deadline by the database's clock, 0 if it has passed; null if there is no deadline. */
  readonly dueInMs: number | null;
  readonly usedByClaimId: string | null;
}

/** Identifies a pre-authorization. */
export interface PreauthorizationIdentity {
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
}

/** Identifies a command on a pre-authorization. The command row contains the request. */
export interface CommandStep extends PreauthorizationIdentity {
  readonly commandId: string;
}

export interface PreauthorizationSteps {
  /** Expires the pre-authorization if its deadline has passed. Returns its state; null if it does not exist. */
  review(which: PreauthorizationIdentity): Promise<PreauthorizationReport | null>;
  /**
   * Checks a decision. For an approval, also reserves a session of the benefit.
   *
   * @returns the booking that care must confirm; null if there is none (a denial, or a decision that is already recorded)
   * @throws ApiError invalid_state if the pre-authorization is not pending; amount_exceeds_request, valid_until_in_past, benefit_exhausted
   */
  beginDecision(step: CommandStep): Promise<{ readonly bookingId: string } | null>;
  /**
   * Records the decision with its response and event. If this step rejects the decision, the command stays pending until
   * {@link abandonDecision}. If the run is lost before that, a new run repeats the decision and its compensations.
   *
   * @throws ApiError invalid_state if the pre-authorization ended after {@link beginDecision}; valid_until_in_past if `valid_until` has
   *   passed; benefit_exhausted
   */
  commitDecision(step: CommandStep): Promise<PreauthorizationReport>;
  /**
   * Releases what {@link beginDecision} reserved and deletes the command, because a later step rejected the decision. Checks `valid_until`
   * again: if a new run repeats a decision whose confirmation was withdrawn, care rejects the confirmation with `invalid_state`, but the
   * client must receive the reason of the first rejection.
   *
   * @returns whether the decision is recorded: another attempt of this command, in a worker that was believed lost, can have recorded it.
   *   Nothing is changed then. Runs from before this result have undefined in their histories
   * @throws ApiError valid_until_in_past if `valid_until` has passed; CommandGone if the command is already deleted
   */
  abandonDecision(step: CommandStep): Promise<boolean>;
  /** Cancels the pre-authorization. @throws ApiError invalid_state if the pre-authorization has ended or a claim uses it */
  cancel(step: CommandStep): Promise<PreauthorizationReport>;
  /** Cancels the pre-authorization because its booking was cancelled. Does nothing if it has ended or a claim uses it. */
  cancelForBooking(step: CommandStep): Promise<PreauthorizationReport>;
  /**
   * Expires the pre-authorization before its deadline, for the test helper of the sandbox. @throws ApiError invalid_state if the
   * pre-authorization has ended or a claim uses it
   */
  expireNow(step: CommandStep): Promise<PreauthorizationReport>;
}

/** The steps, with their summaries in the Temporal UI. */
export const own = localSteps<PreauthorizationSteps>('10s', {
  review: 'Read the facts, and expire it if it is due',
  beginDecision: 'Check the decision and reserve a session',
  commitDecision: 'Record the decision',
  abandonDecision: 'Rejected: release the session',
  cancel: 'Cancel it',
  cancelForBooking: 'Cancel it with its booking',
  expireNow: 'Expire it now',
});

// Steps of the pre-authorization's workflow in care: HTTP calls from its local activities. Each step can be repeated after a crash with the
// same input without a second effect. Rejections have error codes of the API contract. The second argument of a step is the request ID of
// the HTTP call. Times in ISO 8601 UTC.

/** A booking's current state in care. Benefits reads it at `GET /internal/bookings/{booking_id}`. */
export interface BookingFacts {
  readonly bookingId: string;
  readonly sessionId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly status: 'reserved' | 'confirmed' | 'cancelled';
  readonly paymentSource: 'self_pay' | 'covered';
}

/** Identifies one confirmation of a booking: an approval of the booking's pre-authorization confirms it. */
export interface BookingConfirmation {
  readonly tenant: string;
  readonly bookingId: string;
  readonly preauthorizationId: string;
  /** ID of the command that approves the pre-authorization. */
  readonly approvalId: string;
}

/** Steps in care. */
export interface CareForPreauthorizations {
  /**
   * Confirms a reserved booking.
   *
   * @throws ApiError `invalid_state` if the booking is cancelled, its session has started, or the confirmation by this approval was
   *   withdrawn
   */
  confirmBooking(input: BookingConfirmation, requestId: string): Promise<void>;
  /**
   * Withdraws the confirmation of a booking by the given approval. If {@link confirmBooking} of this approval arrives later, care rejects
   * it. Does not change a cancelled booking, a session that has started or the confirmation by another approval.
   */
  withdrawConfirmation(input: BookingConfirmation, requestId: string): Promise<void>;
}

/** The steps in care, with their summaries in the Temporal UI. */
export const care = localSteps<CareForPreauthorizations>('10s', {
  confirmBooking: 'Care: confirm the booking',
  withdrawConfirmation: 'Rejected: care withdraws the confirmation',
});

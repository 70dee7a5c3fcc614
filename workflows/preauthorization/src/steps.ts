/**
 * The steps of the pre-authorization's workflow, which are local activities of the benefits service, and the calls of a decision to care. A
 * step that is repeated has no second effect. Times in ISO 8601 UTC.
 */
import type { Environment, PreauthorizationStatus } from '@carecover/contract';
import { localSteps, type ResourceReport } from '@carecover/temporal/workflow';

/** What a pre-authorization awaits and shows, read from its row. */
export interface PreauthorizationReport extends ResourceReport {
  readonly status: PreauthorizationStatus;
  /** When the pre-authorization expires if no command changes it before; null if it can't expire in this state. */
  readonly deadline: string | null;
  /** Milliseconds until the deadline by the database's clock, 0 if it has passed; null if there is no deadline. */
  readonly dueInMs: number | null;
  /** What the pre-authorization awaits, in words; null if it awaits nothing, so that its run can end. */
  readonly awaits: string | null;
}

/** Identifies a pre-authorization. */
export interface PreauthorizationIdentity {
  readonly resourceId: string;
  readonly tenant: string;
  readonly environment: Environment;
}

export interface PreauthorizationSteps {
  /** Expires the pre-authorization if its deadline has passed. Returns its state; null if it does not exist. */
  review(which: PreauthorizationIdentity): Promise<PreauthorizationReport | null>;
}

/** The steps, with their summaries in the Temporal UI. */
export const steps = localSteps<PreauthorizationSteps>('10s', {
  review: 'Expire it if it is due, and read it',
});

// Calls to care. Each can be repeated with the same input without a second effect. Rejections have error codes of the API contract. The second
// argument of a call is the ID of the client's request.

/** A booking's current state in care. Benefits reads it at `GET /internal/bookings/{booking_id}`. */
export interface BookingSnapshot {
  readonly bookingId: string;
  readonly sessionId: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly status: 'reserved' | 'confirmed' | 'cancelled';
  readonly paymentSource: 'self_pay' | 'covered';
  /** Whether the session was recorded outside the calendar, so that it can be authorized after its start. */
  readonly isRecorded: boolean;
}

/** Identifies one confirmation of a booking: an approval of the booking's pre-authorization confirms it. */
export interface BookingConfirmation {
  readonly tenant: string;
  readonly bookingId: string;
  readonly preauthorizationId: string;
  /** ID of the command that approves the pre-authorization. */
  readonly approvalId: string;
}

/** Calls to care. */
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
   * it. Does not change a cancelled booking or the confirmation by another approval.
   */
  withdrawConfirmation(input: BookingConfirmation, requestId: string): Promise<void>;
}

/** Rules that decide which changes of a booking and its session are allowed. Apply them under the lock of the booking's row. */
import type { BookingStatus } from '@carecover/contract';
import { type SessionState, sessionStatus } from './session-status';

/** Returns whether the booking can be cancelled: once, before its session starts or is delivered. */
export function canCancel(session: SessionState, now: Date): boolean {
  const status = sessionStatus(session, now);
  return status === 'reserved' || status === 'confirmed';
}

/** Returns whether the session can be recorded as delivered early: once, before its end, also after its start. */
export function canDeliver(session: SessionState, now: Date): boolean {
  const status = sessionStatus(session, now);
  return status !== 'cancelled' && status !== 'delivered';
}

/** Whether one approval confirmed the booking or withdrew its confirmation; null if it did neither. */
export type ApprovalState = 'confirmed' | 'withdrawn' | null;

/** A booking whose confirmation is decided. */
export interface ConfirmableBooking extends SessionState {
  /** Whether its session was recorded outside the calendar, so that it can be authorized afterwards. */
  readonly isRecorded: boolean;
}

/**
 * Decides whether the approval of a pre-authorization confirms its booking: until the start of its session, also if that was delivered
 * early, and at any time if the session was recorded outside the calendar. A repeated confirmation changes nothing at any time. A confirmation that arrives after its own withdrawal is late
 * and is rejected.
 */
export function decideConfirmation(
  booking: ConfirmableBooking,
  approval: ApprovalState,
  now: Date,
): 'confirm' | 'already_confirmed' | 'reject' {
  if (booking.bookingStatus === 'cancelled' || approval === 'withdrawn') return 'reject';
  if (approval === 'confirmed') return 'already_confirmed';
  return booking.isRecorded || now < booking.startsAt ? 'confirm' : 'reject';
}

/**
 * Returns whether a booking's status becomes `reserved` when an approval withdraws its confirmation: not if the booking was cancelled, or
 * another approval confirms it. The clock does not matter: an approval that did not take effect leaves no confirmed booking.
 */
export function returnsToReserved(
  bookingStatus: BookingStatus,
  approval: ApprovalState,
  isConfirmedByAnother: boolean,
): boolean {
  return approval === 'confirmed' && !isConfirmedByAnother && bookingStatus === 'confirmed';
}

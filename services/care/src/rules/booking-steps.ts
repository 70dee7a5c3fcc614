/** Which changes a booking and its session allow now. Apply these rules under the lock of the booking's row. */
import { type SessionState, sessionStatus } from './session-status';

/** Whether the booking can be cancelled: once, before its session starts or is delivered. */
export function canCancel(session: SessionState, now: Date): boolean {
  const status = sessionStatus(session, now);
  return status === 'reserved' || status === 'confirmed';
}

/** Whether the session can be delivered early: once, before its end, also after its start. */
export function canDeliver(session: SessionState, now: Date): boolean {
  const status = sessionStatus(session, now);
  return status !== 'cancelled' && status !== 'delivered';
}

/** What one approval did to a booking; null if nothing. */
export type ApprovalState = 'confirmed' | 'withdrawn' | null;

/**
 * Decides whether the approval of a pre-authorization confirms its booking. A session that was delivered early can still be confirmed
 * until its planned start. A repeated request changes nothing at any time. A confirm request after its withdrawal arrived late: it is rejected.
 */
export function decideConfirmation(
  session: SessionState,
  approval: ApprovalState,
  now: Date,
): 'confirm' | 'already_confirmed' | 'reject' {
  if (session.bookingStatus === 'cancelled' || approval === 'withdrawn') return 'reject';
  if (approval === 'confirmed') return 'already_confirmed';
  return now < session.startsAt ? 'confirm' : 'reject';
}

/**
 * Whether a booking returns to `reserved` when an approval withdraws its confirmation. It does not if it was cancelled, its session has
 * started or was delivered, or another approval confirms it.
 */
export function returnsToReserved(
  session: SessionState,
  approval: ApprovalState,
  isConfirmedByAnother: boolean,
  now: Date,
): boolean {
  return approval === 'confirmed' && !isConfirmedByAnother && sessionStatus(session, now) === 'confirmed';
}

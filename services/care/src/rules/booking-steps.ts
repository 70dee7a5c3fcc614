/** Which steps a booking and its session allow now. Applied to the booking's row under its lock, so that a race has one order. */
import { type SessionState, sessionStatus } from './session-status';

/** Only before the session begins, and once. */
export function mayCancel(session: SessionState, now: Date): boolean {
  const status = sessionStatus(session, now);
  return status === 'reserved' || status === 'confirmed';
}

/** Ahead of its end, whether it has begun or not, and once. */
export function mayDeliver(session: SessionState, now: Date): boolean {
  const status = sessionStatus(session, now);
  return status !== 'cancelled' && status !== 'delivered';
}

/** What one approval has done to a booking so far; null where nothing. */
export type ApprovalState = 'confirmed' | 'withdrawn' | null;

/**
 * What the approval of a pre-authorization does to its booking, also where the session was delivered ahead of time. A repeated
 * request changes nothing, whatever the clock says. A withdrawn approval never confirms: its request arrived late.
 */
export function confirmation(
  session: SessionState,
  approval: ApprovalState,
  now: Date,
): 'confirm' | 'confirmed_already' | 'reject' {
  if (session.bookingStatus === 'cancelled' || approval === 'withdrawn') return 'reject';
  if (approval === 'confirmed') return 'confirmed_already';
  return now < session.startsAt ? 'confirm' : 'reject';
}

/**
 * Whether the booking goes back to `reserved` when an approval withdraws its confirmation. A cancelled booking stays cancelled, a
 * session that has begun or was delivered stays as it is, and so does a booking that another approval confirmed.
 */
export function returnsToReserved(
  session: SessionState,
  approval: ApprovalState,
  isConfirmedByAnother: boolean,
  now: Date,
): boolean {
  return approval === 'confirmed' && !isConfirmedByAnother && sessionStatus(session, now) === 'confirmed';
}

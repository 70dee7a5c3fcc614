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

/**
 * What the approval of a pre-authorization does to its booking, also where its session was delivered ahead of time. One that
 * this pre-authorization confirmed before stays as it is, whatever the clock says by now: the workflow is repeating itself.
 */
export function confirmation(
  session: SessionState & { readonly confirmedBy: string | null },
  preauthorizationId: string,
  now: Date,
): 'confirm' | 'confirmed_already' | 'refuse' {
  if (session.bookingStatus === 'cancelled') return 'refuse';
  if (session.confirmedBy === preauthorizationId) return 'confirmed_already';
  return now < session.startsAt ? 'confirm' : 'refuse';
}

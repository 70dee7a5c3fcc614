/** A session's status is never stored: it follows from the booking's facts and the clock. */
import type { BookingStatus, SessionStatus } from '@carecover/contract';

/** What of a booking its session's status follows from. */
export interface SessionState {
  readonly bookingStatus: BookingStatus;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Whether the session was delivered ahead of its end. */
  readonly deliveredEarly: boolean;
}

/** The booking's status until starts_at, then in_progress, and delivered from ends_at on; or cancelled. */
export function sessionStatus(session: SessionState, now: Date): SessionStatus {
  if (session.bookingStatus === 'cancelled') return 'cancelled';
  if (session.deliveredEarly || now >= session.endsAt) return 'delivered';
  return now >= session.startsAt ? 'in_progress' : session.bookingStatus;
}

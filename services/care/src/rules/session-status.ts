/** The status of a session. It is never stored: it follows from the booking's facts and the clock. */
import type { BookingStatus, SessionStatus } from '@carecover/contract';

/** The values of a booking from which its session's status follows. */
export interface SessionState {
  readonly bookingStatus: BookingStatus;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Whether the session was recorded as delivered before its end. */
  readonly deliveredEarly: boolean;
}

/** Returns the status at `now`: the booking's status before `startsAt`, then `in_progress`, and `delivered` from `endsAt`; or `cancelled`. */
export function sessionStatus(session: SessionState, now: Date): SessionStatus {
  if (session.bookingStatus === 'cancelled') return 'cancelled';
  if (session.deliveredEarly || now >= session.endsAt) return 'delivered';
  return now >= session.startsAt ? 'in_progress' : session.bookingStatus;
}

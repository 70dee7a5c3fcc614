/** Sessions as the database shows them: the bookings' rows under the sessions' ids. */
import type { BookingStatus, PaymentSource, SessionFormat, SessionStatus } from '@carecover/contract';
import type { Db, Fragment, Tenant } from '@carecover/platform';
import type { SessionState } from '../rules/session-status';

export interface SessionRow {
  readonly id: string;
  readonly booking_id: string;
  readonly practitioner_id: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly timezone: string;
  readonly format: SessionFormat;
  readonly payment_source: PaymentSource;
  readonly booking_status: BookingStatus;
  readonly delivered_at: Date | null;
}

/** The session with the database's clock, by which its status is to be computed. */
export async function findSessionNow(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<(SessionRow & { readonly now: Date }) | undefined> {
  const [row] = await db<(SessionRow & { now: Date })[]>`
    select *, platform.now() as now from sessions where id = ${id} and project_id = ${tenant}`;
  return row;
}

/** What the session's status follows from. */
export function stateOf(row: SessionRow): SessionState {
  return {
    bookingStatus: row.booking_status,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    deliveredEarly: row.delivered_at !== null,
  };
}

/** The rows whose sessions have this status at `now`: {@link sessionStatus} said in SQL, for a list's filter. */
export function withStatus(db: Db, status: SessionStatus, now: Date): Fragment {
  switch (status) {
    case 'cancelled':
      return db`and booking_status = 'cancelled'`;
    case 'delivered':
      return db`and booking_status <> 'cancelled' and (delivered_at is not null or ends_at <= ${now})`;
    case 'in_progress':
      return db`and booking_status <> 'cancelled' and delivered_at is null and starts_at <= ${now} and ends_at > ${now}`;
    default:
      return db`and booking_status = ${status} and delivered_at is null and starts_at > ${now}`;
  }
}

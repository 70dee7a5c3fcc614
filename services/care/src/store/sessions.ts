/** SQL of sessions. They are read from a view: the row of a session is its booking's row. */
import type {
  BookingStatus,
  PaymentSource,
  Session,
  SessionFormat,
  SessionStatus,
} from '@carecover/contract';
import { formatInstant } from '@carecover/contract';
import {
  type Caller,
  type Db,
  type Fragment,
  type ListQuery,
  type ListResult,
  listPage,
  type Tenant,
} from '@carecover/platform';
import type { SessionState } from '../rules/session-status';
import { type StartFilters, startFilter } from './start-filter';

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

/** Reads a session and the database's clock, from which its status is computed, in one round trip. */
export async function findSessionNow(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<(SessionRow & { readonly now: Date }) | undefined> {
  const [row] = await db<(SessionRow & { now: Date })[]>`
    select *, platform.now() as now from sessions where project_id = ${tenant} and id = ${id}`;
  return row;
}

/** Returns the values of the row from which the session's status follows. */
export function stateOf(row: SessionRow): SessionState {
  return {
    bookingStatus: row.booking_status,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    deliveredEarly: row.delivered_at !== null,
  };
}

/**
 * Reads one page of the project's sessions, newest first.
 *
 * @param now the instant at which a session must have the status of the query
 * @throws ApiError validation_failed if the cursor names no session of this list
 */
export async function listSessions(
  db: Db,
  caller: Caller,
  query: ListQuery & StartFilters & { readonly status?: SessionStatus; readonly practitioner_id?: string },
  now: Date,
  toResource: (row: SessionRow) => Session,
): Promise<ListResult<Session>> {
  const { condition, ...bound } = await startFilter(db, caller.tenant, 'session_id', query);
  const filters = [
    condition,
    { column: 'practitioner_id', value: query.practitioner_id },
    ...(query.status === undefined
      ? []
      : [(await statusFilter(db, caller.tenant, query.status, now)).condition]),
  ];
  return listPage(
    db,
    caller,
    { table: 'sessions', kind: 'session' },
    { ...query, ...bound },
    filters,
    toResource,
  );
}

/** Maximum duration of a session. */
const LONGEST_SESSION_MS = 8 * 3_600_000;

/** Returns the filter that selects the sessions with `status` at the instant `now`: the rule of rules/session-status.ts in SQL. */
async function statusFilter(
  db: Db,
  tenant: Tenant,
  status: SessionStatus,
  now: Date,
): Promise<{ readonly condition: Fragment }> {
  switch (status) {
    case 'cancelled':
      return { condition: db`and booking_status = 'cancelled'` };
    case 'delivered':
      return {
        condition: db`and booking_status <> 'cancelled' and (delivered_at is not null or ends_at <= ${now})`,
      };
    case 'in_progress':
      // The subquery finds the sessions by an index on starts_at. Without it, the generic plan scans all sessions in the order of their IDs.
      return {
        condition: db`
        and id = any(array(
          select session_id from bookings
          where project_id = ${tenant} and starts_at > ${new Date(now.getTime() - LONGEST_SESSION_MS)} and starts_at <= ${now}
            and status <> 'cancelled' and delivered_at is null and ends_at > ${now}))`,
      };
    default: {
      const upcoming = await startFilter(db, tenant, 'session_id', {
        starts_after: formatInstant(now.getTime()),
      });
      return { condition: db`${upcoming.condition} and booking_status = ${status} and delivered_at is null` };
    }
  }
}

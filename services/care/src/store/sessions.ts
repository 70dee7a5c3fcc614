/** SQL of sessions. They are read from a view: the row of a session is its booking's row. */
import type {
  BookingStatus,
  PaymentSource,
  Session,
  SessionFormat,
  SessionStatus,
} from '@carecover/contract';
import { formatInstant, parseInstant } from '@carecover/contract';
import {
  type Caller,
  type Db,
  type Fragment,
  idBeforeAllCreatedAfter,
  type ListQuery,
  type ListResult,
  listPage,
  type Tenant,
} from '@carecover/platform';
import type { SessionState } from '../rules/session-status';
import { findByStart, longestLeadMs, type StartFilters, startFilter, startsIn } from './start-filter';

const SESSIONS = { table: 'sessions', kind: 'session', hasSmallRows: true } as const;

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
  const { tenant } = caller;
  const { condition, ...bound } =
    query.status === 'reserved' || query.status === 'confirmed'
      ? await upcomingFilter(db, tenant, query, query.status, now)
      : await otherFilter(db, tenant, query, query.status, now);
  return listPage(
    db,
    caller,
    SESSIONS,
    { ...query, ...bound },
    [{ column: 'practitioner_id', value: query.practitioner_id }, condition],
    toResource,
  );
}

/** The condition that selects the sessions of a list, and the bounds on their creation time that follow from it. */
interface SessionFilter extends Pick<StartFilters, 'created_after' | 'created_before'> {
  readonly condition: Fragment;
}

/**
 * Returns the filter that selects the upcoming sessions: those with `status` that start after the instant `now`. If they are few, they are
 * found by their start. Otherwise an index that has the start after the ID finds them in the order of the list, and the project's longest
 * time from a booking to its start limits how far back the list reads.
 */
async function upcomingFilter(
  db: Db,
  tenant: Tenant,
  query: StartFilters,
  status: 'reserved' | 'confirmed',
  now: Date,
): Promise<SessionFilter> {
  const isLater = query.starts_after !== undefined && parseInstant(query.starts_after) > now.getTime();
  const period = startsIn(db, isLater ? query : { ...query, starts_after: formatInstant(now.getTime()) });
  const found = await findByStart(
    db,
    tenant,
    'session_id',
    db`status = ${status} and delivered_at is null and ${period}`,
  );
  const ofStatus = db`and booking_status = ${status} and delivered_at is null`;
  if (found !== null) return { condition: db`${ofStatus} and id = any(${found})` };
  const oldest = idBeforeAllCreatedAfter(
    db,
    SESSIONS,
    tenant,
    now.getTime() - (await longestLeadMs(db, tenant)),
  );
  // The comparison of two columns keeps the generic plan on the index that begins with the status: for two bounds on the ID alone, the
  // planner expects few rows and takes another index.
  return { condition: db`${ofStatus} and ${period} and (booking_status, id) > (${status}, ${oldest})` };
}

/** Maximum duration of a session. */
const LONGEST_SESSION_MS = 8 * 3_600_000;

/**
 * Returns the filter that selects the sessions of the query's period with `status` at the instant `now`: the rule of
 * rules/session-status.ts in SQL. All sessions of the period if `status` is undefined.
 */
async function otherFilter(
  db: Db,
  tenant: Tenant,
  query: StartFilters,
  status: Exclude<SessionStatus, 'reserved' | 'confirmed'> | undefined,
  now: Date,
): Promise<SessionFilter> {
  const { condition, ...bound } = await startFilter(db, tenant, 'session_id', query);
  return { condition: db`${condition} ${statusCondition(db, tenant, status, now)}`, ...bound };
}

function statusCondition(
  db: Db,
  tenant: Tenant,
  status: Exclude<SessionStatus, 'reserved' | 'confirmed'> | undefined,
  now: Date,
): Fragment {
  switch (status) {
    case undefined:
      return db``;
    case 'cancelled':
      return db`and booking_status = 'cancelled'`;
    case 'delivered':
      return db`and booking_status <> 'cancelled' and (delivered_at is not null or ends_at <= ${now})`;
    case 'in_progress':
      // The subquery finds the sessions by an index on starts_at. Without it, the generic plan scans all sessions in the order of their IDs.
      return db`
        and id = any(array(
          select session_id from bookings
          where project_id = ${tenant} and starts_at > ${new Date(now.getTime() - LONGEST_SESSION_MS)} and starts_at <= ${now}
            and status <> 'cancelled' and delivered_at is null and ends_at > ${now}))`;
  }
}

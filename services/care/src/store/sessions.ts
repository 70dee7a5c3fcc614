/** SQL of sessions. They are read from a view: the row of a session is its booking's row. */
import type {
  BookingStatus,
  PaymentSource,
  Session,
  SessionFormat,
  SessionStatus,
} from '@carecover/contract';
import { formatInstant, referenceSearchKey } from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import {
  type Db,
  earliestOf,
  type Fragment,
  type ListQuery,
  type ListResult,
  latestOf,
  listPage,
} from '@carecover/postgres';
import type { SessionState } from '../rules/session-status';
import { createdWithin, type StartFilters, startFilter } from './start-filter';

/** A session is the row of a booking: the tie breaker is the booking's ID, so that both lists have the same order and share their indexes. */
const SESSIONS = { table: 'sessions', tieBreaker: 'booking_id', hasSmallRows: true } as const;

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
  readonly created_at: Date;
  /** The API key that recorded the session outside the calendar; null if the session was booked in a slot. */
  readonly recorded_by: string | null;
}

/** A session with the database's time. */
export type SessionNow = SessionRow & { readonly now: Date };

/** Reads a session and the database's clock, from which its status is computed, in one round trip. */
export async function findSessionNow(db: Db, tenant: Tenant, id: string): Promise<SessionNow | undefined> {
  const [row] = await findSessionsNow(db, tenant, [id]);
  return row;
}

/** Reads sessions like {@link findSessionNow}. One that the tenant does not have is missing in the result. */
export async function findSessionsNow(db: Db, tenant: Tenant, ids: readonly string[]): Promise<SessionNow[]> {
  return db<SessionNow[]>`
    select *, platform.now() as now from sessions where project_id = ${tenant} and id = any(${[...ids]})`;
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
  query: ListQuery &
    StartFilters & {
      readonly status?: SessionStatus;
      readonly practitioner_id?: string;
      readonly external_reference?: string;
    },
  now: Date,
  toResource: (row: SessionRow) => Session,
): Promise<ListResult<Session>> {
  const { ofStatus, starts_after, starts_before } = statusFilter(db, query.status, now);
  const period = {
    starts_after: latestOf(query.starts_after, starts_after),
    starts_before: earliestOf(query.starts_before, starts_before),
  };
  const start = await startFilter(db, caller.tenant, 'sessions', period, ofStatus);
  const { external_reference: reference } = query;
  const filters = [
    {
      column: 'external_reference_search',
      value: reference === undefined ? undefined : referenceSearchKey(reference),
    },
    { column: 'practitioner_id', value: query.practitioner_id },
    start.condition,
  ];
  return listPage(db, caller, SESSIONS, createdWithin(query, start), filters, toResource);
}

/** Maximum duration of a session. */
const LONGEST_SESSION_MS = 8 * 3_600_000;

/** The condition of a status, and the period in which the sessions with this status start. */
interface StatusFilter extends StartFilters {
  readonly ofStatus: Fragment;
}

/** Returns the sessions with a status at the instant `now`: the rule of rules/session-status.ts in SQL. */
function statusFilter(db: Db, status: SessionStatus | undefined, now: Date): StatusFilter {
  const at = now.getTime();
  switch (status) {
    case undefined:
      return { ofStatus: db`` };
    case 'cancelled':
      return { ofStatus: db`and booking_status = 'cancelled'` };
    case 'reserved':
    case 'confirmed':
      return {
        ofStatus: db`and booking_status = ${status} and delivered_at is null`,
        starts_after: formatInstant(at),
      };
    case 'in_progress':
      return {
        ofStatus: db`and booking_status <> 'cancelled' and delivered_at is null and ends_at > ${now}`,
        starts_after: formatInstant(at - LONGEST_SESSION_MS - 1),
        starts_before: formatInstant(at + 1),
      };
    case 'delivered':
      return {
        ofStatus: db`and booking_status <> 'cancelled' and (delivered_at is not null or ends_at <= ${now})`,
      };
  }
}

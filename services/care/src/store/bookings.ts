/** SQL of bookings. A change of a booking requires the lock of its row, so that concurrent changes run one after another. */
import {
  type Booking,
  type BookingStatus,
  type PaymentSource,
  referenceKey,
  referenceSearchKey,
  type SessionFormat,
} from '@carecover/contract';
import { type Caller, newId, type Tenant } from '@carecover/domain';
import {
  type Db,
  type Fragment,
  insertedRows,
  insertedSet,
  type ListQuery,
  type ListResult,
  listPage,
  type Query,
  type Tx,
} from '@carecover/postgres';
import type { SessionState } from '../rules/session-status';
import type { Slot } from '../rules/slot';
import { createdWithin, type StartFilters, startFilter } from './start-filter';

export interface BookingRow {
  readonly id: string;
  readonly project_id: string;
  readonly session_id: string;
  readonly practitioner_id: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly timezone: string;
  readonly format: SessionFormat;
  readonly payment_source: PaymentSource;
  readonly status: BookingStatus;
  readonly created_at: Date;
  readonly delivered_at: Date | null;
  /** The API key that recorded the session outside the calendar; null if the session was booked in a slot. */
  readonly recorded_by: string | null;
}

export interface NewBooking {
  readonly practitionerId: string;
  readonly slot: Slot;
  readonly timezone: string;
  readonly format: SessionFormat;
  readonly paymentSource: PaymentSource;
  readonly createdAt: Date;
}

/**
 * Inserts a booking, and reads the clock after it. The statement waits for a concurrent transaction that books an overlapping slot.
 * Returns undefined if an active booking of the practitioner overlaps the slot, also if it was committed concurrently.
 */
export async function insertBooking(
  tx: Tx,
  tenant: Tenant,
  booking: NewBooking,
): Promise<(BookingRow & { readonly now: Date }) | undefined> {
  const [row] = await tx<(BookingRow & { now: Date })[]>`
    insert into bookings ${insertedRows(newRow(tenant, booking))}
    on conflict on constraint bookings_one_at_a_time do nothing
    returning *, platform.now() as now`;
  return row;
}

/** The columns of a new booking, which is `reserved` until an approval confirms it if it is covered. */
function newRow(tenant: Tenant, { slot, paymentSource, ...booking }: NewBooking) {
  const status: BookingStatus = paymentSource === 'covered' ? 'reserved' : 'confirmed';
  return {
    id: newId('bkg_'),
    project_id: tenant,
    session_id: newId('ses_'),
    practitioner_id: booking.practitionerId,
    starts_at: new Date(slot.start),
    ends_at: new Date(slot.end),
    timezone: booking.timezone,
    format: booking.format,
    payment_source: paymentSource,
    status,
    created_at: booking.createdAt,
  };
}

/** A session outside the calendar, with the booking of its own. */
export interface RecordedSession extends NewBooking {
  readonly recordedBy: string;
  readonly externalReference: string | null;
}

/** The row of a session that takes no slot. */
export type NewRecordedRow = ReturnType<typeof recordedRow>;

/** Returns the columns of a session that takes no slot. */
export function recordedRow(tenant: Tenant, { recordedBy, externalReference, ...booking }: RecordedSession) {
  return {
    ...newRow(tenant, booking),
    recorded_by: recordedBy,
    external_reference: externalReference,
    external_reference_key: externalReference && referenceKey(externalReference),
    external_reference_search: externalReference && referenceSearchKey(externalReference),
  };
}

/**
 * Returns SQL that inserts sessions that take no slot, and returns their rows: none of a session whose external reference another session of
 * the project has, also if that was committed concurrently.
 */
export function recordedInsert(tx: Tx, rows: readonly NewRecordedRow[]): Fragment {
  return tx`
    insert into bookings ${insertedSet('bookings', rows, 'external_reference_key')}
    on conflict (project_id, external_reference_key) where external_reference_key is not null do nothing
    returning *`;
}

/** Inserts one such session. Returns whether it was inserted. */
export async function insertRecordedSession(tx: Tx, row: NewRecordedRow): Promise<boolean> {
  const inserted = await tx`${recordedInsert(tx, [row])}`;
  return inserted.length > 0;
}

export async function findBooking(db: Db, tenant: Tenant, id: string): Promise<BookingRow | undefined> {
  const [row] = await db<BookingRow[]>`
    select * from bookings where project_id = ${tenant} and id = ${id}`;
  return row;
}

/**
 * Reads one page of the project's bookings, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no booking of this list
 */
export async function listBookings(
  db: Db,
  caller: Caller,
  query: ListQuery &
    StartFilters & {
      readonly status?: BookingStatus;
      readonly session_id?: string;
      readonly practitioner_id?: string;
    },
  toResource: (row: BookingRow) => Booking,
): Promise<ListResult<Booking>> {
  const start = await startFilter(db, caller.tenant, 'bookings', query);
  const filters = [
    start.condition,
    { column: 'session_id', value: query.session_id },
    { column: 'practitioner_id', value: query.practitioner_id },
    { column: 'status', value: query.status },
  ];
  const listed = { table: 'bookings', hasSmallRows: true } as const;
  return listPage(db, caller, listed, createdWithin(query, start), filters, toResource);
}

/** Reads a booking and locks its row until the transaction ends. Read the clock afterwards, because the statement can wait for the lock. */
export function lockBooking(tx: Tx, tenant: Tenant, id: string): Query<BookingRow | undefined> {
  const locked = tx<BookingRow[]>`
    select * from bookings where project_id = ${tenant} and id = ${id} for update`;
  return locked.withResult(([row]) => row);
}

/** Reads the booking of a session and locks its row, as {@link lockBooking} does. */
export function lockBookingOfSession(
  tx: Tx,
  tenant: Tenant,
  sessionId: string,
): Query<BookingRow | undefined> {
  const locked = tx<BookingRow[]>`
    select * from bookings where project_id = ${tenant} and session_id = ${sessionId} for update`;
  return locked.withResult(([row]) => row);
}

/** Returns SQL that cancels a locked booking. */
export function cancellation(tx: Tx, tenant: Tenant, id: string, reasonCode: string, now: Date): Fragment {
  return tx`
    update bookings set status = 'cancelled', cancelled_at = ${now}, cancellation_reason = ${reasonCode}
    where project_id = ${tenant} and id = ${id}`;
}

/** Records that the session of a locked booking was delivered before its end. */
export async function recordDelivery(tx: Tx, tenant: Tenant, id: string, now: Date): Promise<void> {
  await tx`update bookings set delivered_at = ${now} where project_id = ${tenant} and id = ${id}`;
}

/** Returns the values of the booking's row from which its session's status follows. */
export function sessionStateOf(row: BookingRow): SessionState {
  return {
    bookingStatus: row.status,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    deliveredEarly: row.delivered_at !== null,
  };
}

/** A cancellation of a covered booking whose notification benefits has not confirmed. */
export interface PendingCancellation {
  readonly id: string;
  readonly project_id: Tenant;
}

/** Returns whether the booking was cancelled and benefits has not confirmed the notification of the cancellation. */
export async function isNotificationPending(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await db`
    select 1 from bookings
    where project_id = ${tenant} and id = ${id}
      and status = 'cancelled' and payment_source = 'covered' and benefits_notified_at is null`;
  return rows.length > 0;
}

/**
 * Reads cancellations with a pending notification, of all projects, in random order, so that a notification that always fails does not
 * block others.
 */
export async function pendingCancellations(db: Db, limit: number): Promise<PendingCancellation[]> {
  return [
    ...(await db<PendingCancellation[]>`
      select id, project_id from bookings
      where status = 'cancelled' and payment_source = 'covered' and benefits_notified_at is null
      order by random() limit ${limit}`),
  ];
}

/** Counts the cancellations with a pending notification, of all projects. */
export async function countPendingCancellations(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) as count from bookings
    where status = 'cancelled' and payment_source = 'covered' and benefits_notified_at is null`;
  return row?.count ?? 0;
}

/** Records that benefits confirmed the notification of the cancellation. */
export async function recordNotified(db: Db, tenant: Tenant, id: string): Promise<void> {
  await db`
    update bookings set benefits_notified_at = platform.now()
    where project_id = ${tenant} and id = ${id} and benefits_notified_at is null`;
}

/** SQL of bookings. A change of a booking requires the lock of its row, so that concurrent changes run one after another. */
import type { Booking, BookingStatus, PaymentSource, SessionFormat } from '@carecover/contract';
import { type Caller, newId, type Tenant } from '@carecover/domain';
import {
  type Db,
  type Fragment,
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
  const { slot, paymentSource } = booking;
  const [row] = await tx<(BookingRow & { now: Date })[]>`
    insert into bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format,
                          payment_source, status, created_at)
    values (${newId('bkg_')}, ${tenant}, ${newId('ses_')}, ${booking.practitionerId},
            ${new Date(slot.start)}, ${new Date(slot.end)}, ${booking.timezone}, ${booking.format},
            ${paymentSource}, ${paymentSource === 'covered' ? 'reserved' : 'confirmed'}, ${booking.createdAt})
    on conflict on constraint bookings_one_at_a_time do nothing
    returning *, platform.now() as now`;
  return row;
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
  query: ListQuery & StartFilters & { readonly status?: BookingStatus; readonly practitioner_id?: string },
  toResource: (row: BookingRow) => Booking,
): Promise<ListResult<Booking>> {
  const start = await startFilter(db, caller.tenant, 'bookings', query);
  const filters = [
    start.condition,
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

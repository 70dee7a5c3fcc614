/** Bookings' rows. Every change locks its row first, so that of two racing steps the second sees the first. */
import type { BookingStatus, PaymentSource, SessionFormat } from '@carecover/contract';
import { type Caller, type Db, newId, type Tenant, type Tx } from '@carecover/platform';
import type { SessionState } from '../rules/session-status';
import type { Slot } from '../rules/slot';

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

/** Takes the slot; undefined where a live booking of the practitioner overlaps it, also one that commits meanwhile. */
export async function insertBooking(
  tx: Tx,
  caller: Caller,
  booking: NewBooking,
): Promise<BookingRow | undefined> {
  const { slot, paymentSource } = booking;
  const [row] = await tx<BookingRow[]>`
    insert into bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format,
                          payment_source, status, created_at)
    values (${newId('bkg_')}, ${caller.tenant}, ${newId('ses_')}, ${booking.practitionerId},
            ${new Date(slot.start)}, ${new Date(slot.end)}, ${booking.timezone}, ${booking.format},
            ${paymentSource}, ${paymentSource === 'covered' ? 'reserved' : 'confirmed'}, ${booking.createdAt})
    on conflict on constraint bookings_one_at_a_time do nothing
    returning *`;
  return row;
}

export async function findBooking(db: Db, tenant: Tenant, id: string): Promise<BookingRow | undefined> {
  const [row] = await db<BookingRow[]>`
    select * from bookings where id = ${id} and project_id = ${tenant}`;
  return row;
}

/** The booking, locked until the transaction ends: read the clock after it. */
export async function lockBooking(tx: Tx, tenant: Tenant, id: string): Promise<BookingRow | undefined> {
  const [row] = await tx<BookingRow[]>`
    select * from bookings where id = ${id} and project_id = ${tenant} for update`;
  return row;
}

/** The booking of a session, locked as by {@link lockBooking}. */
export async function lockBookingOfSession(
  tx: Tx,
  tenant: Tenant,
  sessionId: string,
): Promise<BookingRow | undefined> {
  const [row] = await tx<BookingRow[]>`
    select * from bookings where session_id = ${sessionId} and project_id = ${tenant} for update`;
  return row;
}

export async function cancelLocked(tx: Tx, id: string, reasonCode: string, now: Date): Promise<void> {
  await tx`
    update bookings set status = 'cancelled', cancelled_at = ${now}, cancellation_reason = ${reasonCode}
    where id = ${id}`;
}

export async function deliverLocked(tx: Tx, id: string, now: Date): Promise<void> {
  await tx`update bookings set delivered_at = ${now} where id = ${id}`;
}

/** What the booking's session's status follows from. */
export function sessionStateOf(row: BookingRow): SessionState {
  return {
    bookingStatus: row.status,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    deliveredEarly: row.delivered_at !== null,
  };
}

/** A cancellation of a covered booking that benefits has not heard of. */
export interface PendingCancellation {
  readonly id: string;
  readonly project_id: string;
}

/** Whether benefits has yet to hear of this booking's cancellation. */
export async function isPending(db: Db, id: string): Promise<boolean> {
  const rows = await db`
    select 1 from bookings
    where id = ${id} and status = 'cancelled' and payment_source = 'covered' and benefits_told_at is null`;
  return rows.length > 0;
}

/** Some of them in random order, so that one that can't be told never holds up the rest. */
export async function pendingCancellations(db: Db, limit: number): Promise<PendingCancellation[]> {
  return [
    ...(await db<PendingCancellation[]>`
      select id, project_id from bookings
      where status = 'cancelled' and payment_source = 'covered' and benefits_told_at is null
      order by random() limit ${limit}`),
  ];
}

export async function markTold(db: Db, id: string): Promise<void> {
  await db`update bookings set benefits_told_at = platform.now() where id = ${id} and benefits_told_at is null`;
}

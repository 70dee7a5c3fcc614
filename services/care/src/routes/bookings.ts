/**
 * Bookings: a slot of a practitioner's time is taken, read, given back. A creation is one transaction; that no two live bookings of
 * a practitioner overlap is the database's promise, whoever races.
 */
import { type Booking, parseInstant } from '@carecover/contract';
import {
  ApiError,
  databaseNow,
  type Fragment,
  type Handlers,
  listPage,
  notFound,
  type Sql,
  writeOnce,
} from '@carecover/platform';
import type { CancellationNotification } from '../cancellation-notification';
import { mayCancel } from '../rules/booking-steps';
import { checkSlot } from '../rules/slot';
import {
  type BookingRow,
  cancelLocked,
  findBooking,
  insertBooking,
  lockBooking,
  sessionStateOf,
} from '../store/bookings';
import { findPractitionerNow } from '../store/practitioners';

function bookingResource(row: BookingRow): Booking {
  return {
    id: row.id,
    object: 'booking',
    session_id: row.session_id,
    practitioner_id: row.practitioner_id,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    timezone: row.timezone,
    format: row.format,
    status: row.status,
    payment_source: row.payment_source,
  };
}

export function bookingHandlers(
  sql: Sql,
  notice: CancellationNotification,
): Pick<Handlers, 'listBookings' | 'createBooking' | 'getBooking' | 'cancelBooking'> {
  return {
    async listBookings({ caller, query }) {
      const filter: Fragment = query.status === undefined ? sql`` : sql`and status = ${query.status}`;
      return {
        status: 200,
        body: await listPage(sql, caller, 'bookings', query, filter, bookingResource),
      };
    },

    createBooking(call) {
      const { caller, body } = call;
      const slot = { start: parseInstant(body.starts_at), end: parseInstant(body.ends_at) };
      return writeOnce(sql, call, call.replayStatus, async (tx) => {
        const practitioner = await findPractitionerNow(tx, caller, body.practitioner_id);
        if (practitioner === undefined) throw notFound();
        const { timezone, weekly_hours: weeklyHours, now } = practitioner;
        checkSlot(slot, body.format, { timezone, weeklyHours }, now);
        const row = await insertBooking(tx, caller, {
          practitionerId: practitioner.id,
          slot,
          timezone,
          format: body.format,
          paymentSource: body.payment_source,
          createdAt: now,
        });
        if (row === undefined) {
          throw new ApiError('slot_unavailable', 'The practitioner has a booking that overlaps this time.');
        }
        return { status: 201, body: bookingResource(row), resourceId: row.id };
      });
    },

    async getBooking({ caller, params }) {
      const row = await findBooking(sql, caller.tenant, params.booking_id);
      if (row === undefined) throw notFound();
      return { status: 200, body: bookingResource(row) };
    },

    async cancelBooking(call) {
      const { caller, params, body } = call;
      const reply = await writeOnce(sql, call, call.replayStatus, async (tx) => {
        const row = await lockBooking(tx, caller.tenant, params.booking_id);
        if (row === undefined) throw notFound();
        const now = await databaseNow(tx);
        if (!mayCancel(sessionStateOf(row), now)) {
          throw new ApiError(
            'invalid_state',
            'Only a booking whose session has not begun can be cancelled, once.',
          );
        }
        await cancelLocked(tx, row.id, body.reason_code, now);
        return { status: 200, body: bookingResource({ ...row, status: 'cancelled' }), resourceId: row.id };
      });
      await notice.notifyNow(caller, params.booking_id);
      return reply;
    },
  };
}

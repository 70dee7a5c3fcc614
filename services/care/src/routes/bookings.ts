/** HTTP routes of bookings. */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { bookingResource } from '../resources';
import { findBooking, listBookings } from '../store/bookings';
import { cancelBooking } from '../use-cases/cancel-booking';
import { createBooking } from '../use-cases/create-booking';
import type { CancellationNotification } from '../use-cases/notify-cancellation';

export function bookingHandlers(
  sql: Sql,
  notification: CancellationNotification,
): Pick<Handlers, 'listBookings' | 'createBooking' | 'getBooking' | 'cancelBooking'> {
  return {
    async listBookings({ caller, query }) {
      return { status: 200, body: await listBookings(sql, caller, query, bookingResource) };
    },

    createBooking: (call) => createBooking(sql, call),

    async getBooking({ caller, params }) {
      const id = params.booking_id;
      const row = requireResource(caller, id, await findBooking(sql, caller.tenant, id));
      return { status: 200, body: bookingResource(row) };
    },

    cancelBooking: (call) => cancelBooking(sql, notification, call),
  };
}

/** Internal HTTP route from which the benefits service reads a booking. */

import { notFound } from '@carecover/domain';
import type { InternalRoute } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { BookingSnapshot } from '@carecover/workflow-preauthorization';
import { findBooking } from '../store/bookings';

export function bookingFactsRoute(sql: Sql): InternalRoute {
  return {
    method: 'GET',
    path: '/bookings/:booking_id',
    caller: 'benefits',
    async handle(caller, params): Promise<BookingSnapshot> {
      const row = await findBooking(sql, caller.tenant, params.booking_id ?? '');
      if (row === undefined) throw notFound('/booking_id');
      return {
        bookingId: row.id,
        sessionId: row.session_id,
        startsAt: row.starts_at.toISOString(),
        endsAt: row.ends_at.toISOString(),
        status: row.status,
        paymentSource: row.payment_source,
        isRecorded: row.recorded_by !== null,
      };
    },
  };
}

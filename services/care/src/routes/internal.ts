/** Internal HTTP routes for benefits and claims: the facts of a booking, and the steps of their workflows. */
import { type InternalRoute, notFound, type Sql, stepRoutes } from '@carecover/platform';
import type { CareForClaims } from '@carecover/workflow-claim';
import type { BookingFacts, CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { careActivities } from '../activities';
import { findBooking } from '../store/bookings';

export function internalRoutes(sql: Sql): InternalRoute[] {
  const { sessionForClaim, ...forPreauthorizations } = careActivities(sql);
  return [
    ...stepRoutes<CareForClaims>('claims', { sessionForClaim }),
    ...stepRoutes<CareForPreauthorizations>('benefits', forPreauthorizations),
    {
      method: 'GET',
      path: '/bookings/:booking_id',
      caller: 'benefits',
      async handle(caller, params): Promise<BookingFacts> {
        const row = await findBooking(sql, caller.tenant, params.booking_id ?? '');
        if (row === undefined) throw notFound();
        return {
          bookingId: row.id,
          sessionId: row.session_id,
          startsAt: row.starts_at.toISOString(),
          endsAt: row.ends_at.toISOString(),
          status: row.status,
          paymentSource: row.payment_source,
        };
      },
    },
  ];
}

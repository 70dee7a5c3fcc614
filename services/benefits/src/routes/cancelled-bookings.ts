/** Internal HTTP route for care: the notification that a booking is cancelled. */
import type { InternalRoute } from '@carecover/http';
import {
  type CancelledBookingDependencies,
  receiveCancelledBooking,
} from '../use-cases/receive-cancelled-booking';

export function cancelledBookingRoute(deps: CancelledBookingDependencies): InternalRoute {
  return {
    method: 'POST',
    path: '/bookings/:booking_id/cancelled',
    caller: 'care',
    handle: async (caller, params) => ({
      preauthorization_id: await receiveCancelledBooking(deps, caller, params.booking_id ?? ''),
    }),
  };
}

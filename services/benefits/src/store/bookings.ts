/** Rows of care's bookings that have a pre-authorization or that care reported as cancelled. */

import type { Tenant } from '@carecover/domain';
import type { Query, Tx } from '@carecover/postgres';

/**
 * Locks a booking's row and inserts it if it is new, so that the creation of a pre-authorization and the booking's cancellation run one
 * after the other.
 *
 * @returns whether benefits has received the booking's cancellation
 */
export function lockBooking(tx: Tx, tenant: Tenant, bookingId: string): Query<boolean> {
  const locked = tx<{ cancelled_at: Date | null }[]>`
    insert into bookings (booking_id, project_id) values (${bookingId}, ${tenant})
    on conflict (booking_id) do update set cancelled_at = bookings.cancelled_at
    returning cancelled_at`;
  return locked.withResult(([row]) => row?.cancelled_at !== null);
}

/** Records that care cancelled a booking. No pre-authorization is created for the booking afterwards. */
export async function recordCancelledBooking(tx: Tx, tenant: Tenant, bookingId: string): Promise<void> {
  await tx`
    insert into bookings (booking_id, project_id, cancelled_at) values (${bookingId}, ${tenant}, platform.now())
    on conflict (booking_id) do update set cancelled_at = coalesce(bookings.cancelled_at, excluded.cancelled_at)`;
}

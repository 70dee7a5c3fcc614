/** Receives care's notification that a booking is cancelled, and cancels the booking's open pre-authorization. */
import type { Caller } from '@carecover/domain';
import { serviceAuthority } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import { isOpen } from '../rules/preauthorization-expiry';
import { recordCancelledBooking } from '../store/bookings';
import { findOpenPreauthorization, lockPreauthorization, stateOf } from '../store/preauthorizations';
import { recordChange } from './record-changes';

/** What {@link receiveCancelledBooking} calls. */
export interface CancelledBookingDependencies {
  readonly sql: Sql;
  /** Sends the wake-up signal to the sender of signals. Called after each commit, which may have enqueued a signal. */
  readonly notifySignals: () => void;
}

/**
 * Records that care cancelled a booking, and cancels the booking's open pre-authorization, in one transaction. Does nothing to a
 * pre-authorization that has ended or that a claim uses. An approval in progress is rejected at its commit. Care repeats the request until it
 * receives a response; a repeated request has no further effect.
 *
 * @returns the ID of the open pre-authorization; null if there was none
 */
export async function receiveCancelledBooking(
  { sql, notifySignals }: CancelledBookingDependencies,
  caller: Caller,
  bookingId: string,
): Promise<string | null> {
  const id = await sql.begin(async (tx) => {
    await recordCancelledBooking(tx, caller.tenant, bookingId);
    return cancelOpen(tx, caller, bookingId);
  });
  notifySignals();
  return id;
}

async function cancelOpen(tx: Tx, { tenant, requestId }: Caller, bookingId: string): Promise<string | null> {
  const id = await findOpenPreauthorization(tx, tenant, bookingId);
  if (id === null) return null;
  const row = await lockPreauthorization(tx, tenant, id);
  if (row !== null && isOpen(stateOf(row), row.locked_at) && row.used_by_claim_id === null) {
    const change = { type: 'cancelled', reasonCode: 'booking_cancelled' } as const;
    const { locked_at: at } = row;
    await recordChange(tx, row, change, { at, authority: serviceAuthority('care'), requestId });
  }
  return id;
}

/** Receives from care that a booking is cancelled, and cancels its open pre-authorization too. */
import {
  type Caller,
  executeCommand,
  requestHash,
  type Sql,
  serviceCaller,
  type TemporalCommands,
} from '@carecover/platform';
import { recordCancelledBooking } from '../store/bookings';
import { findOpenPreauthorization } from '../store/preauthorizations';
import { CANCEL_FOR_BOOKING, preauthorizationWorkflow } from '../workflow';

/** The line break, which no header can contain, distinguishes this key from the keys of clients. */
const keyOf = (bookingId: string) => `\nbooking:${bookingId}`;

export interface CancelledBookingDependencies {
  readonly sql: Sql;
  readonly engine: Pick<TemporalCommands, 'command'>;
  readonly hashSecret: string;
}

/**
 * Records that care cancelled a booking, and sends the cancellation to the workflow of its open pre-authorization. Care repeats the request
 * until it has a response; a repetition has no further effect.
 *
 * @returns the ID of the pre-authorization; null if none was open
 */
export async function receiveCancelledBooking(
  { sql, engine, hashSecret }: CancelledBookingDependencies,
  { tenant, environment, requestId }: Caller,
  bookingId: string,
): Promise<string | null> {
  await sql.begin((tx) => recordCancelledBooking(tx, tenant, bookingId));
  const id = await findOpenPreauthorization(sql, tenant, bookingId);
  if (id === null) return null;
  const caller = serviceCaller(tenant, environment, 'care', requestId);
  const request = {
    operation: 'cancelPreauthorization',
    caller,
    idempotencyKey: keyOf(bookingId),
    requestHash: await requestHash(bookingId, null, hashSecret),
  } as const;
  await executeCommand(sql, request, {
    resourceId: id,
    body: { reason_code: 'booking_cancelled' },
    replayStatus: 200,
    update: CANCEL_FOR_BOOKING,
    send: (command) => engine.command(preauthorizationWorkflow, command),
  });
  return id;
}

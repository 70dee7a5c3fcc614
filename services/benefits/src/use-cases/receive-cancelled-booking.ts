/** Receives care's notification that a booking is cancelled, and cancels the booking's open pre-authorization. */
import {
  type Caller,
  executeCommand,
  requestHash,
  type Sql,
  serviceCaller,
  type TemporalCommands,
} from '@carecover/platform';
import {
  CANCEL_FOR_BOOKING,
  preauthorizationWorkflow,
} from '@carecover/workflow-preauthorization/definition';
import { recordCancelledBooking } from '../store/bookings';
import { findOpenPreauthorization } from '../store/preauthorizations';

/**
 * Returns the idempotency key of a cancellation by care. Clients can't send such a key: it starts with a line break, which no HTTP header
 * can contain.
 */
const keyOf = (bookingId: string) => `\nbooking:${bookingId}`;

export interface CancelledBookingDependencies {
  readonly sql: Sql;
  readonly engine: Pick<TemporalCommands, 'command'>;
  readonly hashSecret: string;
}

/**
 * Records that care cancelled a booking, and sends the cancellation to the workflow of the booking's open pre-authorization. Care repeats
 * the request until it receives a response; a repeated request has no further effect.
 *
 * @returns the ID of the open pre-authorization; null if there was none
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

/**
 * POST /internal/bookings/{booking_id}/cancelled: care sends the notification that a booking is cancelled, and its open pre-authorization
 * is cancelled too. Care repeats the request until it has a response; a repetition has no further effect.
 */
import {
  executeCommand,
  type InternalRoute,
  requestHash,
  type Sql,
  serviceCaller,
  type TemporalCommands,
} from '@carecover/platform';
import { findOpenPreauthorization, recordCancelledBooking } from '../store/preauthorizations';
import { workflowOf } from '../workflow';

/** The line break, which no header can contain, distinguishes this key from the keys of clients. */
const keyOf = (bookingId: string) => `\nbooking:${bookingId}`;

/** Creates the route. */
export function cancelledBookingRoute(
  sql: Sql,
  engine: Pick<TemporalCommands, 'command'>,
  hashSecret: string,
): InternalRoute {
  return {
    method: 'POST',
    path: '/bookings/:booking_id/cancelled',
    caller: 'care',
    async handle({ tenant, environment, requestId }, { booking_id: bookingId = '' }) {
      await sql.begin((tx) => recordCancelledBooking(tx, tenant, bookingId));
      const id = await findOpenPreauthorization(sql, tenant, bookingId);
      if (id === null) return { preauthorization_id: null };
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
        send: (sent) =>
          engine.command(
            id,
            workflowOf(id, caller),
            'cancelForBooking',
            { commandId: sent.id, authority: caller.authority, requestId },
            sent.updateId,
          ),
      });
      return { preauthorization_id: id };
    },
  };
}

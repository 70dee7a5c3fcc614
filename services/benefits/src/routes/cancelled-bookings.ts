/**
 * POST /internal/bookings/{booking_id}/cancelled: care tells that a booking is cancelled, so that its open pre-authorization is
 * cancelled too. Care tells again until it is answered; the second time finds nothing to do.
 */
import {
  executeCommand,
  type InternalRoute,
  requestHash,
  type Sql,
  serviceCaller,
  type TemporalCommands,
} from '@carecover/platform';
import { noteCancelledBooking, openPreauthorizationOf } from '../store/preauthorizations';
import { workflowOf } from '../workflow';

/** A line break, which no header can carry, keeps this key apart from those that callers choose. */
const keyOf = (bookingId: string) => `\nbooking:${bookingId}`;

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
      await sql.begin((tx) => noteCancelledBooking(tx, tenant, bookingId));
      const id = await openPreauthorizationOf(sql, tenant, bookingId);
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

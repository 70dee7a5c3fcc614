/** Cancels a booking and notifies benefits, which then cancels the booking's pre-authorization. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import { ApiError, notFound, requireVisible } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { databaseNow, type Sql, type Tx } from '@carecover/postgres';
import { bookingResource } from '../resources';
import { canCancel } from '../rules/booking-steps';
import { cancellation, lockBooking, sessionStateOf } from '../store/bookings';
import type { CancellationNotification } from './notify-cancellation';

/**
 * Cancels a booking whose session has not started. After the commit, the call waits at most two seconds until benefits is notified.
 *
 * @throws ApiError resource_not_found; invalid_state if the booking is cancelled or its session has started or is delivered; idempotency_conflict
 */
export async function cancelBooking(
  sql: Sql,
  notification: CancellationNotification,
  call: Call<'cancelBooking'>,
): Promise<JsonResponse> {
  const { caller, body } = call;
  const id = call.params.booking_id;
  requireVisible(caller, id);
  const fetch = (tx: Tx) => tx.pipeline([lockBooking(tx, caller.tenant, id), databaseNow(tx)]);
  const effect = async (tx: Tx, [row, now]: Awaited<ReturnType<typeof fetch>>) => {
    if (row === undefined) throw notFound();
    if (!canCancel(sessionStateOf(row), now)) {
      throw new ApiError(
        'invalid_state',
        'The booking can be cancelled only once, and only before its session starts or is delivered.',
      );
    }
    return {
      status: 200,
      body: bookingResource({ ...row, status: 'cancelled' }),
      resourceId: id,
      writes: [cancellation(tx, caller.tenant, id, body.reason_code, now)],
    };
  };
  const reply = await writeOnce(sql, call, call.replayStatus, effect, fetch);
  await notification.notifyNow(caller, id);
  return reply;
}

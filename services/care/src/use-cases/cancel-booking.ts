/** Cancels a booking and notifies benefits, which then cancels the booking's pre-authorization. */
import {
  ApiError,
  type Call,
  databaseNow,
  notFound,
  type Reply,
  requireVisible,
  type Sql,
  writeOnce,
} from '@carecover/platform';
import { bookingResource } from '../resources';
import { canCancel } from '../rules/booking-steps';
import { lockBooking, recordCancellation, sessionStateOf } from '../store/bookings';
import type { CancellationNotification } from './notify-cancellation';

/**
 * Cancels a booking whose session has not started. After the commit it waits at most two seconds until benefits is notified.
 *
 * @throws ApiError resource_not_found, invalid_state, idempotency_conflict
 */
export async function cancelBooking(
  sql: Sql,
  notification: CancellationNotification,
  call: Call<'cancelBooking'>,
): Promise<Reply> {
  const { caller, body } = call;
  const id = call.params.booking_id;
  requireVisible(caller, id);
  const reply = await writeOnce(sql, call, call.replayStatus, async (tx) => {
    const row = await lockBooking(tx, caller.tenant, id);
    if (row === undefined) throw notFound();
    const now = await databaseNow(tx);
    if (!canCancel(sessionStateOf(row), now)) {
      throw new ApiError(
        'invalid_state',
        'The booking can be cancelled only once, and only before its session starts or is delivered.',
      );
    }
    await recordCancellation(tx, caller.tenant, id, body.reason_code, now);
    return { status: 200, body: bookingResource({ ...row, status: 'cancelled' }), resourceId: id };
  });
  await notification.notifyNow(caller, id);
  return reply;
}

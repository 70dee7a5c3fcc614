/** The sandbox's test helper that records a session as delivered before its end. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import { ApiError, notFound, requireVisible } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { databaseNow, type Sql, type Tx } from '@carecover/postgres';
import { sessionResource } from '../resources';
import { canDeliver } from '../rules/booking-steps';
import { lockBookingOfSession, recordDelivery, sessionStateOf } from '../store/bookings';
import { findSessionNow } from '../store/sessions';

/**
 * Records that a session was delivered. The session's start and end do not change. Only the sandbox has this operation.
 *
 * @throws ApiError resource_not_found; invalid_state if the session is cancelled or delivered; idempotency_conflict
 */
export async function deliverSession(sql: Sql, call: Call<'deliverSession'>): Promise<JsonResponse> {
  const { caller } = call;
  const id = call.params.session_id;
  if (caller.environment !== 'sandbox') throw notFound();
  requireVisible(caller, id);
  const fetch = (tx: Tx) => tx.pipeline([lockBookingOfSession(tx, caller.tenant, id), databaseNow(tx)]);
  const effect = async (tx: Tx, [booking, now]: Awaited<ReturnType<typeof fetch>>) => {
    if (booking === undefined) throw notFound();
    if (!canDeliver(sessionStateOf(booking), now)) {
      throw new ApiError('invalid_state', 'The session is already cancelled or delivered.');
    }
    await recordDelivery(tx, caller.tenant, booking.id, now);
    const row = await findSessionNow(tx, caller.tenant, id);
    if (row === undefined) throw new Error(`the locked session ${id} does not exist`);
    return { status: 200, body: sessionResource(row, row.now), resourceId: row.id };
  };
  return writeOnce(sql, call, call.replayStatus, effect, fetch);
}

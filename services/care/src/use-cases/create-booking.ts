/** Creates a booking in one transaction. An exclusion constraint of the database prevents overlapping bookings. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import { parseInstant } from '@carecover/contract';
import { ApiError, notFound } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import { bookingResource } from '../resources';
import { checkSlot, requireFuture } from '../rules/slot';
import { insertBooking } from '../store/bookings';
import { findPractitionerNow } from '../store/practitioners';

/**
 * Books a slot of a practitioner. A covered booking starts `reserved`, a self-paid one `confirmed`.
 *
 * @throws ApiError resource_not_found, session_in_past, outside_availability, slot_unavailable, idempotency_conflict
 */
export function createBooking(sql: Sql, call: Call<'createBooking'>): Promise<JsonResponse> {
  const { caller, body } = call;
  const slot = { start: parseInstant(body.starts_at), end: parseInstant(body.ends_at) };
  const fetch = (tx: Tx) => findPractitionerNow(tx, caller.tenant, body.practitioner_id);
  const effect = async (tx: Tx, practitioner: Awaited<ReturnType<typeof fetch>>) => {
    if (practitioner === undefined) throw notFound('/practitioner_id');
    const { timezone, weekly_hours: weeklyHours, now } = practitioner;
    checkSlot(slot, body.format, { timezone, weeklyHours }, now);
    const row = await insertBooking(tx, caller.tenant, {
      practitionerId: practitioner.id,
      slot,
      timezone,
      format: body.format,
      paymentSource: body.payment_source,
      createdAt: now,
    });
    if (row === undefined) {
      throw new ApiError(
        'slot_unavailable',
        'The practitioner has another booking between /starts_at and /ends_at. Choose another time.',
      );
    }
    // The slot can have started while the insertion waited. The error rolls the insertion back.
    requireFuture(slot, row.now);
    return { status: 201, body: bookingResource(row), resourceId: row.id };
  };
  return writeOnce(sql, call, call.replayStatus, effect, fetch);
}

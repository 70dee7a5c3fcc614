/** Lists the free slots of a practitioner. */
import { PAGE_SIZE, parseInstant, type SlotList } from '@carecover/contract';
import { requireResource } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { slotResource } from '../resources';
import { freeSlots, type Slot } from '../rules/slot';
import { findPractitionerWithBookings } from '../store/practitioners';

const MINUTE_MS = 60_000;

/**
 * Returns the earliest free slots within the period of the query, at most `limit` (by default 20), in ascending order.
 *
 * @throws ApiError resource_not_found
 */
export async function listSlots(sql: Sql, call: Call<'listPractitionerSlots'>): Promise<SlotList> {
  const { caller, params, query } = call;
  const range = { start: parseInstant(query.from), end: parseInstant(query.to) };
  const id = params.practitioner_id;
  const durationMs = query.duration_minutes * MINUTE_MS;
  const practitioner = requireResource(
    caller,
    id,
    await findPractitionerWithBookings(sql, caller.tenant, id, range, durationMs),
  );
  const { timezone, weekly_hours: weeklyHours, booked, now } = practitioner;
  // The query of a call has the parameters as the client sent them: text, and without the defaults of the contract.
  const limit = Number(query.limit ?? PAGE_SIZE.default);
  const found: Slot[] = [];
  for (const slot of freeSlots({ timezone, weeklyHours }, query.format, range, durationMs, booked, now)) {
    found.push(slot);
    if (found.length > limit) break;
  }
  return {
    object: 'list',
    data: found.slice(0, limit).map((slot) => slotResource(practitioner, slot, query.format)),
    has_more: found.length > limit,
  };
}

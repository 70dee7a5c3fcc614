/** Rules of slots: which free slots are listed, whether a given slot can be booked, and whether a session can be recorded afterwards. */
import { RECORDED_SESSION_MS, type SessionFormat } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { isOffered, offeredSpans, type Span, type WeeklyAvailability } from './availability';

/** A time span in epoch milliseconds, end exclusive. The contract limits it to more than 0 and at most 8 hours. */
export type Slot = Span;

/** A listed slot starts at least this long after the response, so that there is time to book it. */
const BOOKING_LEAD_MS = 5 * 60_000;
const QUARTER_HOUR_MS = 15 * 60_000;

/** Returns the earliest start of a listed slot, at a full quarter of an hour. */
function earliestStart(now: Date): number {
  return Math.ceil((now.getTime() + BOOKING_LEAD_MS) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
}

/** Removes the booked times from the spans. Both are in ascending order and do not overlap, so that one pass over both is enough. */
function* subtractBooked(spans: readonly Span[], booked: readonly Span[]): Generator<Span> {
  let first = 0;
  for (const { start, end } of spans) {
    let free = start;
    for (let index = first; index < booked.length; index++) {
      const time = booked[index];
      if (time === undefined || time.start >= end) break;
      // A time that ends later can also overlap the next span.
      if (time.end <= end) first = index + 1;
      if (time.end <= start) continue;
      yield { start: free, end: time.start };
      free = time.end;
    }
    yield { start: free, end };
  }
}

/**
 * Yields the free slots of one duration within the range, in ascending order. They do not overlap: in each free span, the first
 * slot starts with the span, and each next one where the slot before ends. So every bookable time of this duration overlaps a yielded slot.
 *
 * @param booked the times of the active bookings within the range, in ascending order. Two bookings with less than one duration between them
 *   can be one time
 */
export function* freeSlots(
  practitioner: WeeklyAvailability,
  format: SessionFormat,
  range: Span,
  durationMs: number,
  booked: readonly Span[],
  now: Date,
): Generator<Slot> {
  const future = { start: Math.max(range.start, earliestStart(now)), end: range.end };
  for (const free of subtractBooked(offeredSpans(practitioner, format, future), booked)) {
    for (let { start } = free; start + durationMs <= free.end; start += durationMs) {
      yield { start, end: start + durationMs };
    }
  }
}

/** Checks that the slot is in the future. @throws ApiError session_in_past */
export function requireFuture(slot: Slot, now: Date): void {
  if (slot.start < now.getTime())
    throw new ApiError('session_in_past', '/starts_at is in the past. Choose a time in the future.');
}

/** Checks that a session to record ended at most 400 days ago. @throws ApiError session_too_old */
export function requireRecent(session: Slot, now: Date): void {
  if (session.end < now.getTime() - RECORDED_SESSION_MS)
    throw new ApiError('session_too_old', '/ends_at must be at most 400 days ago.');
}

/**
 * Checks that the slot is in the future and within the practitioner's hours.
 *
 * @throws ApiError session_in_past, outside_availability; in this order
 */
export function checkSlot(
  slot: Slot,
  format: SessionFormat,
  practitioner: WeeklyAvailability,
  now: Date,
): void {
  requireFuture(slot, now);
  if (!isOffered(practitioner, format, slot)) {
    throw new ApiError(
      'outside_availability',
      `The time from /starts_at to /ends_at is outside the hours in which the practitioner offers /format (local time of ${practitioner.timezone}). Read the practitioner's availability for these hours.`,
    );
  }
}

/** Whether a slot can be booked, apart from other bookings of the practitioner. */
import type { SessionFormat } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import { isOffered, type WeeklyAvailability } from './availability';

/** A time span in epoch milliseconds, end exclusive. The contract limits it to more than 0 and at most 8 hours. */
export interface Slot {
  readonly start: number;
  readonly end: number;
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
  if (slot.start < now.getTime())
    throw new ApiError('session_in_past', '/starts_at is in the past. Choose a time in the future.');
  if (!isOffered(practitioner, format, slot)) {
    throw new ApiError(
      'outside_availability',
      `The time from /starts_at to /ends_at is outside the hours in which the practitioner offers /format (local time of ${practitioner.timezone}). Read the practitioner's availability for these hours.`,
    );
  }
}

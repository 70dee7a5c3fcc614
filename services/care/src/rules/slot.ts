/** Whether a slot may be booked at all, before anyone looks at who else has it. */
import type { SessionFormat } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import { isOffered, type WeeklyAvailability } from './availability';

/** A span of time in epoch milliseconds, end exclusive. That it has a length, of at most 8 hours, the contract has checked. */
export interface Slot {
  readonly start: number;
  readonly end: number;
}

/** @throws ApiError session_in_past, outside_availability; in this order */
export function checkSlot(
  slot: Slot,
  format: SessionFormat,
  practitioner: WeeklyAvailability,
  now: Date,
): void {
  if (slot.start < now.getTime()) throw new ApiError('session_in_past', '/starts_at is in the past.');
  if (!isOffered(practitioner, format, slot)) {
    throw new ApiError(
      'outside_availability',
      `/starts_at to /ends_at is not within the hours at which the practitioner offers /format (local time of ${practitioner.timezone}).`,
    );
  }
}

/** Finds when a practitioner could be booked, from the weekly hours in the practitioner's own time zone. */
import type { Availability } from '@carecover/client';
export interface Slot {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly format: Availability['weekly_hours'][number]['formats'][number];
}
/** Slots of `minutes` at the beginning of each window of hours, soonest first, from `fromMs` (epoch milliseconds) on. */
export declare function upcomingSlots(
  availability: Availability,
  minutes: number,
  fromMs: number,
): Generator<Slot>;

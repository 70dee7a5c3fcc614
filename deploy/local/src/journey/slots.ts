/** Finds slots of a practitioner, from the weekly hours in the practitioner's time zone. */
import type { Availability } from '@carecover/client';
import { DateTime } from 'luxon';

const DAYS_AHEAD = 120;

export interface Slot {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly format: Availability['weekly_hours'][number]['formats'][number];
}

/** Yields slots of `minutes` at the start of each period of hours, earliest first, from `fromMs` (epoch milliseconds). */
export function* upcomingSlots(availability: Availability, minutes: number, fromMs: number): Generator<Slot> {
  const zone = availability.timezone;
  const today = DateTime.fromMillis(fromMs, { zone }).startOf('day');
  for (let day = 0; day < DAYS_AHEAD; day++) {
    const date = today.plus({ days: day });
    for (const hours of availability.weekly_hours) {
      if (hours.weekday !== date.weekday % 7) continue;
      const [hour = 0, minute = 0] = hours.start.split(':').map(Number);
      const start = date.set({ hour, minute });
      const end = start.plus({ minutes });
      const [format] = hours.formats;
      const fits = end.toFormat('HH:mm') <= hours.end && end.hasSame(start, 'day');
      if (format === undefined || start.toMillis() <= fromMs || !fits) continue;
      yield { startsAt: start.toUTC().toISO() ?? '', endsAt: end.toUTC().toISO() ?? '', format };
    }
  }
}

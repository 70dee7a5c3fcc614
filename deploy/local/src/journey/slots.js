Object.defineProperty(exports, '__esModule', { value: true });
exports.upcomingSlots = upcomingSlots;
const luxon_1 = require('luxon');
const DAYS_AHEAD = 120;
/** Slots of `minutes` at the beginning of each window of hours, soonest first, from `fromMs` (epoch milliseconds) on. */
function* upcomingSlots(availability, minutes, fromMs) {
  const zone = availability.timezone;
  const today = luxon_1.DateTime.fromMillis(fromMs, { zone }).startOf('day');
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

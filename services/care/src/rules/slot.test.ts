import { sessionFormats, type WeeklyHours } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import type { Span, WeeklyAvailability } from './availability';
import { checkSlot, freeSlots } from './slot';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** 1 March 2027 is a Monday. */
const MONDAY = Date.parse('2027-03-01T00:00:00Z');
const NOW = new Date(MONDAY - DAY_MS);

function span(start: string, end: string): Span {
  return { start: Date.parse(start), end: Date.parse(end) };
}

function asText(slots: Iterable<Span>): string[] {
  const text = (instant: number) => new Date(instant).toISOString().slice(0, 16);
  return [...slots].map(({ start, end }) => `${text(start)}/${text(end)}`);
}

describe('a practitioner with hours on Monday from 09:00 to 12:00', () => {
  const week: WeeklyHours[] = [{ weekday: 1, start: '09:00', end: '12:00', formats: ['online'] }];
  const availability = { timezone: 'UTC', weeklyHours: week };
  const day = { start: MONDAY, end: MONDAY + DAY_MS };
  const list = (minutes: number, bookings: Span[] = [], range: Span = day, now = NOW) =>
    asText(freeSlots(availability, 'online', range, minutes * MINUTE_MS, bookings, now));

  test('has slots one after another from the start of the hours', () => {
    expect(list(50)).toEqual([
      '2027-03-01T09:00/2027-03-01T09:50',
      '2027-03-01T09:50/2027-03-01T10:40',
      '2027-03-01T10:40/2027-03-01T11:30',
    ]);
    expect(list(180)).toEqual(['2027-03-01T09:00/2027-03-01T12:00']);
    expect(list(181)).toEqual([]);
  });

  test('has no slot in a format that the hours do not offer', () => {
    expect([...freeSlots(availability, 'phone', day, HOUR_MS, [], NOW)]).toEqual([]);
  });

  test('has slots before, between and after bookings, which can exceed the hours', () => {
    const bookings = [
      span('2027-03-01T08:30:00Z', '2027-03-01T09:10:00Z'),
      span('2027-03-01T10:10:00Z', '2027-03-01T10:30:00Z'),
    ];
    expect(list(60, bookings)).toEqual([
      '2027-03-01T09:10/2027-03-01T10:10',
      '2027-03-01T10:30/2027-03-01T11:30',
    ]);
    expect(list(60, [span('2027-03-01T09:00:00Z', '2027-03-01T12:00:00Z')])).toEqual([]);
  });

  test('has no slot that starts before the range or ends after it', () => {
    const range = span('2027-03-01T09:07:00Z', '2027-03-01T10:07:00Z');
    expect(list(30, [], range)).toEqual([
      '2027-03-01T09:07/2027-03-01T09:37',
      '2027-03-01T09:37/2027-03-01T10:07',
    ]);
  });

  test('has slots from a full quarter hour on, at least five minutes after the current time', () => {
    const at = (time: string) => list(60, [], day, new Date(`2027-03-01T${time}Z`))[0]?.slice(11, 16);
    expect(['08:50:00', '08:55:00', '08:55:00.001', '10:59:00', '12:00:00'].map(at)).toEqual([
      '09:00',
      '09:00',
      '09:15',
      undefined,
      undefined,
    ]);
  });
});

test('every booked time is read a few times, however many periods of hours there are', () => {
  const availability: WeeklyAvailability = {
    timezone: 'UTC',
    weeklyHours: Array.from({ length: 7 }, (_, weekday) => ({
      weekday,
      start: '08:00',
      end: '18:00',
      formats: ['online'],
    })),
  };
  let reads = 0;
  // One booking of a minute per two minutes of a month.
  const booked = Array.from({ length: 31 * 24 * 30 }, (_, index) => ({
    get start() {
      reads++;
      return MONDAY + 2 * index * MINUTE_MS;
    },
    get end() {
      reads++;
      return MONDAY + (2 * index + 1) * MINUTE_MS;
    },
  }));
  const month = { start: MONDAY, end: MONDAY + 31 * DAY_MS };
  expect([...freeSlots(availability, 'online', month, MINUTE_MS, booked, NOW)]).toHaveLength(31 * 300);
  expect(reads).toBeLessThan(10 * booked.length);
});

test('the skipped hour of a change to daylight saving time has no slots, and the repeated one has them twice', () => {
  const availability: WeeklyAvailability = {
    timezone: 'America/New_York',
    weeklyHours: [{ weekday: 0, start: '00:00', end: '04:00', formats: ['online'] }],
  };
  const slots = (day: string) => {
    const start = Date.parse(`${day}T00:00:00Z`);
    return freeSlots(availability, 'online', { start, end: start + DAY_MS }, HOUR_MS, [], NOW);
  };
  expect([...slots('2027-03-14')]).toHaveLength(3);
  expect([...slots('2027-11-07')]).toHaveLength(5);
});

describe('compared with the rule of a booking', () => {
  const zones = [
    'Africa/Nairobi',
    'America/New_York',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Europe/London',
    'Pacific/Apia',
    'Pacific/Auckland',
  ];
  const timeOfDay = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '10', '30', '59'));
  const hours = fc
    .record({
      weekday: fc.integer({ min: 0, max: 6 }),
      times: fc.uniqueArray(
        timeOfDay.map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`),
        { minLength: 2, maxLength: 2 },
      ),
      formats: fc.uniqueArray(fc.constantFrom(...sessionFormats), { minLength: 1 }),
    })
    .map(({ weekday, times, formats }): WeeklyHours => {
      const [start = '', end = ''] = [...times].sort();
      return { weekday, start, end, formats };
    });
  // The days before clock changes in New York, Lord Howe and London, and a day without a change.
  const days = ['2027-03-13', '2027-11-06', '2027-04-03', '2027-10-30', '2027-06-15'];
  const minuteOf = (maxDays: number) => fc.integer({ min: 0, max: maxDays * 24 * 60 });

  const scenario = fc.record({
    timezone: fc.constantFrom(...zones),
    weeklyHours: fc.array(hours, { minLength: 1, maxLength: 20 }),
    format: fc.constantFrom(...sessionFormats),
    from: fc
      .tuple(fc.constantFrom(...days), minuteOf(1))
      .map(([day, minute]) => Date.parse(`${day}T00:00:00Z`) + minute * MINUTE_MS),
    lengthMinutes: minuteOf(4),
    minutes: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.constantFrom(240, 480)),
    bookings: fc.array(fc.tuple(minuteOf(4), fc.integer({ min: 1, max: 480 })), { maxLength: 8 }),
    nowAfterFrom: fc.integer({ min: -2 * DAY_MS, max: DAY_MS }),
  });

  function isBookable(slot: Span, taken: readonly Span[], check: (slot: Span) => void): boolean {
    if (taken.some((other) => other.start < slot.end && slot.start < other.end)) return false;
    try {
      check(slot);
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  test('every listed slot can be booked, also five minutes later, and every time that can be booked overlaps a listed slot', () => {
    let listed = 0;
    let bookable = 0;
    fc.assert(
      fc.property(scenario, ({ timezone, weeklyHours, format, from, lengthMinutes, minutes, ...rest }) => {
        const availability = { timezone, weeklyHours };
        const now = new Date(from + rest.nowAfterFrom);
        const range = { start: from, end: from + lengthMinutes * MINUTE_MS };
        const taken: Span[] = [];
        for (const [start, length] of rest.bookings.sort(([a], [b]) => a - b)) {
          const booking = { start: from + start * MINUTE_MS, end: from + (start + length) * MINUTE_MS };
          if (booking.start >= (taken.at(-1)?.end ?? 0)) taken.push(booking);
        }
        const slots = [...freeSlots(availability, format, range, minutes * MINUTE_MS, taken, now)];
        const checkAt = (time: number) => (slot: Span) =>
          checkSlot(slot, format, availability, new Date(time));
        for (const [index, slot] of slots.entries()) {
          expect(isBookable(slot, taken, checkAt(now.getTime() + 5 * MINUTE_MS))).toBe(true);
          expect(slot.end - slot.start).toBe(minutes * MINUTE_MS);
          expect(slot.start).toBeGreaterThanOrEqual(slots[index - 1]?.end ?? range.start);
          expect(slot.end).toBeLessThanOrEqual(range.end);
        }
        listed += slots.length;
        const earliest = Math.max(from, Math.ceil((now.getTime() + 20 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS);
        for (let start = earliest; start + minutes * MINUTE_MS <= range.end; start += 7 * MINUTE_MS) {
          const time = { start, end: start + minutes * MINUTE_MS };
          if (!isBookable(time, taken, checkAt(now.getTime()))) continue;
          bookable++;
          expect(slots.some((slot) => slot.start < time.end && time.start < slot.end)).toBe(true);
        }
      }),
      { numRuns: testSize({ ci: 75, soak: 3_000 }) },
    );
    expect(listed).toBeGreaterThan(0);
    expect(bookable).toBeGreaterThan(0);
  });
});

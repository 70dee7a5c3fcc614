import type { SessionFormat, WeeklyHours } from '@carecover/contract';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { DateTime } from 'luxon';
import { isOffered } from './availability';

const MINUTE_MS = 60_000;
const SUNDAY = 0;
const MONDAY = 1;
const SATURDAY = 6;
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

function hours(weekday: number, start: string, end: string, ...formats: SessionFormat[]): WeeklyHours {
  return { weekday, start, end, formats: formats.length === 0 ? ['online'] : formats };
}

/** Returns whether a session from `start` to `end` (ISO 8601 with offset) fits the weekly hours. The format is online by default. */
function fits(
  timezone: string,
  weeklyHours: WeeklyHours[],
  start: string,
  end: string,
  format: SessionFormat = 'online',
) {
  return isOffered({ timezone, weeklyHours }, format, { start: Date.parse(start), end: Date.parse(end) });
}

describe('an ordinary day', () => {
  // 1 March 2027 is a Monday.
  const week = [hours(MONDAY, '09:00', '17:00', 'online', 'phone')];
  const inNairobi = (start: string, end: string, format?: SessionFormat) =>
    fits('Africa/Nairobi', week, `2027-03-01T${start}+03:00`, `2027-03-01T${end}+03:00`, format);

  test('the hours can be booked from their first to their last instant', () => {
    expect(inNairobi('09:00:00', '17:00:00')).toBe(true);
    expect(inNairobi('09:00:00', '09:00:00.001')).toBe(true);
    expect(inNairobi('16:59:59.999', '17:00:00')).toBe(true);
  });

  test('one millisecond before or after the hours is outside', () => {
    expect(inNairobi('08:59:59.999', '10:00:00')).toBe(false);
    expect(inNairobi('16:00:00', '17:00:00.001')).toBe(false);
    expect(inNairobi('17:00:00', '17:00:00.001')).toBe(false);
  });

  test('another weekday, or a practitioner without hours, offers nothing', () => {
    expect(fits('Africa/Nairobi', week, '2027-03-02T10:00:00+03:00', '2027-03-02T11:00:00+03:00')).toBe(
      false,
    );
    expect(fits('Africa/Nairobi', [], '2027-03-01T10:00:00+03:00', '2027-03-01T11:00:00+03:00')).toBe(false);
  });

  test('a format that the hours do not offer is outside', () => {
    expect(inNairobi('10:00:00', '11:00:00', 'phone')).toBe(true);
    expect(inNairobi('10:00:00', '11:00:00', 'in_person')).toBe(false);
  });

  test("the hours are in the practitioner's time zone, with any offset in the request", () => {
    const start = '2027-03-01T09:00:00';
    const end = '2027-03-01T17:00:00';
    expect(fits('Asia/Kolkata', week, `${start}+05:30`, `${end}+05:30`)).toBe(true);
    expect(fits('Asia/Kathmandu', week, `${start}+05:45`, `${end}+05:45`)).toBe(true);
    expect(fits('Australia/Adelaide', week, `${start}+10:30`, `${end}+10:30`)).toBe(true);
    expect(fits('Asia/Kathmandu', week, `${start}+05:30`, `${end}+05:30`)).toBe(false);
  });

  test('the weekday is local to the practitioner, on both sides of the date line', () => {
    // Monday 09:00 in Apia is still Sunday in UTC; Monday 16:00 in Honolulu is Tuesday in UTC.
    expect(fits('Pacific/Apia', week, '2027-02-28T20:00:00Z', '2027-02-28T21:00:00Z')).toBe(true);
    expect(fits('Pacific/Apia', week, '2027-03-01T20:00:00Z', '2027-03-01T21:00:00Z')).toBe(false);
    expect(fits('Pacific/Honolulu', week, '2027-03-02T02:00:00Z', '2027-03-02T03:00:00Z')).toBe(true);
  });
});

describe('adjacent periods', () => {
  const format: SessionFormat = 'in_person';

  test('a session fits across the boundary of adjacent or overlapping periods', () => {
    const touching = [hours(MONDAY, '09:00', '12:00'), hours(MONDAY, '12:00', '17:00')];
    const overlapping = [hours(MONDAY, '11:00', '17:00'), hours(MONDAY, '09:00', '12:00')];
    for (const week of [touching, overlapping]) {
      expect(fits('UTC', week, '2027-03-01T11:30:00Z', '2027-03-01T12:30:00Z')).toBe(true);
    }
  });

  test('a session does not fit across a gap of one minute', () => {
    const week = [hours(MONDAY, '09:00', '12:00'), hours(MONDAY, '12:01', '17:00')];
    expect(fits('UTC', week, '2027-03-01T11:30:00Z', '2027-03-01T12:30:00Z')).toBe(false);
  });

  test('a short period inside a long one does not end the long one', () => {
    const week = [hours(MONDAY, '09:00', '17:00'), hours(MONDAY, '10:00', '11:00')];
    expect(fits('UTC', week, '2027-03-01T10:30:00Z', '2027-03-01T14:00:00Z')).toBe(true);
  });

  test('both periods must offer the format', () => {
    const week = [
      hours(MONDAY, '09:00', '12:00', 'online'),
      hours(MONDAY, '12:00', '17:00', 'online', format),
    ];
    expect(fits('UTC', week, '2027-03-01T11:30:00Z', '2027-03-01T12:30:00Z', 'online')).toBe(true);
    expect(fits('UTC', week, '2027-03-01T11:30:00Z', '2027-03-01T12:30:00Z', format)).toBe(false);
    expect(fits('UTC', week, '2027-03-01T12:00:00Z', '2027-03-01T12:30:00Z', format)).toBe(true);
  });
});

describe('midnight', () => {
  const nights = EVERY_DAY.flatMap((day) => [hours(day, '00:00', '06:00'), hours(day, '20:00', '23:59')]);

  test('an end of 23:59 is midnight', () => {
    const evenings = [hours(MONDAY, '20:00', '23:59')];
    expect(fits('UTC', evenings, '2027-03-01T23:00:00Z', '2027-03-02T00:00:00Z')).toBe(true);
    expect(fits('UTC', evenings, '2027-03-01T23:00:00Z', '2027-03-02T00:00:00.001Z')).toBe(false);
  });

  test('an end of 23:58 is not', () => {
    const evenings = [hours(MONDAY, '20:00', '23:58')];
    expect(fits('UTC', evenings, '2027-03-01T23:00:00Z', '2027-03-01T23:58:00Z')).toBe(true);
    expect(fits('UTC', evenings, '2027-03-01T23:00:00Z', '2027-03-01T23:58:00.001Z')).toBe(false);
  });

  test('a session fits across midnight if the hours continue on the next day', () => {
    expect(fits('Asia/Kolkata', nights, '2027-03-01T22:30:00+05:30', '2027-03-02T03:00:00+05:30')).toBe(true);
  });

  test('a session fits across the end of the week, between Saturday and Sunday', () => {
    // 6 March 2027 is a Saturday.
    const weekend = [hours(SATURDAY, '22:00', '23:59'), hours(SUNDAY, '00:00', '02:00')];
    expect(fits('UTC', weekend, '2027-03-06T22:00:00Z', '2027-03-07T02:00:00Z')).toBe(true);
    expect(fits('UTC', weekend, '2027-03-06T22:00:00Z', '2027-03-07T02:00:00.001Z')).toBe(false);
  });
});

describe('the change to daylight saving time', () => {
  // New York, Sunday 14 March 2027: 02:00 EST is 03:00 EDT.
  test('hours before and after the skipped hour are adjacent', () => {
    const week = [hours(SUNDAY, '01:00', '02:00'), hours(SUNDAY, '03:00', '04:00')];
    expect(fits('America/New_York', week, '2027-03-14T01:30:00-05:00', '2027-03-14T03:30:00-04:00')).toBe(
      true,
    );
  });

  test('hours that start in the skipped hour start after it', () => {
    const week = [hours(SUNDAY, '02:30', '05:00')];
    expect(fits('America/New_York', week, '2027-03-14T03:00:00-04:00', '2027-03-14T05:00:00-04:00')).toBe(
      true,
    );
    expect(fits('America/New_York', week, '2027-03-14T01:59:00-05:00', '2027-03-14T04:00:00-04:00')).toBe(
      false,
    );
  });

  test('hours after the change have the new offset', () => {
    const week = [hours(SUNDAY, '09:00', '17:00')];
    expect(fits('America/New_York', week, '2027-03-14T13:00:00Z', '2027-03-14T21:00:00Z')).toBe(true);
    expect(fits('America/New_York', week, '2027-03-14T14:00:00Z', '2027-03-14T22:00:00Z')).toBe(false);
  });
});

describe('the change back to standard time', () => {
  // New York, Sunday 7 November 2027: 02:00 EDT is 01:00 EST.
  test('hours in the repeated hour apply twice', () => {
    const week = [hours(SUNDAY, '01:00', '02:00')];
    expect(fits('America/New_York', week, '2027-11-07T01:00:00-04:00', '2027-11-07T02:00:00-05:00')).toBe(
      true,
    );
  });

  test('hours that end in the repeated hour apply to both of its repetitions', () => {
    const week = [hours(SUNDAY, '00:00', '01:30')];
    expect(fits('America/New_York', week, '2027-11-07T00:00:00-04:00', '2027-11-07T01:30:00-04:00')).toBe(
      true,
    );
    expect(fits('America/New_York', week, '2027-11-07T01:00:00-05:00', '2027-11-07T01:30:00-05:00')).toBe(
      true,
    );
    expect(fits('America/New_York', week, '2027-11-07T01:00:00-04:00', '2027-11-07T01:30:00-05:00')).toBe(
      false,
    );
  });

  test('a change of half an hour is applied', () => {
    // Lord Howe Island, Sunday 4 April 2027: 02:00 at +11:00 is 01:30 at +10:30.
    const week = [hours(SUNDAY, '01:00', '03:00')];
    expect(fits('Australia/Lord_Howe', week, '2027-04-04T01:00:00+11:00', '2027-04-04T03:00:00+10:30')).toBe(
      true,
    );
    expect(
      fits('Australia/Lord_Howe', week, '2027-04-04T01:00:00+11:00', '2027-04-04T03:00:00.001+10:30'),
    ).toBe(false);
  });
});

test('a day that a time zone skipped at the date line is no gap', () => {
  // Apia skipped Friday 30 December 2011: its offset changed from -10:00 to +14:00 at the end of Thursday.
  const week = [hours(4, '20:00', '23:59'), hours(SATURDAY, '00:00', '04:00')];
  expect(fits('Pacific/Apia', week, '2011-12-30T08:00:00Z', '2011-12-30T12:00:00Z')).toBe(true);
  expect(
    fits('Pacific/Apia', [hours(5, '00:00', '23:59')], '2011-12-30T08:00:00Z', '2011-12-30T12:00:00Z'),
  ).toBe(false);
});

describe('compared with a model that checks the local time of every minute', () => {
  const zones = [
    'America/New_York',
    'Europe/London',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Adelaide',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Pacific/Apia',
    'Pacific/Auckland',
    'Africa/Nairobi',
    'America/Santiago',
  ];
  // Random start times are from all of 2027, with more of them on the days on which clocks change.
  const changes = [
    '2027-03-14',
    '2027-11-07',
    '2027-03-28',
    '2027-10-31',
    '2027-04-04',
    '2027-10-03',
    '2027-09-26',
  ].map((day) => Date.parse(`${day}T00:00:00Z`));
  const timeOfDay = fc
    .integer({ min: 0, max: 24 * 60 - 1 })
    .map(
      (minute) =>
        `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
    );
  const formats: SessionFormat[] = ['online', 'in_person', 'phone'];
  const period = fc
    .record({
      weekday: fc.integer({ min: 0, max: 6 }),
      times: fc.uniqueArray(fc.oneof(timeOfDay, fc.constantFrom('00:00', '01:30', '02:00', '23:59')), {
        minLength: 2,
        maxLength: 2,
      }),
      formats: fc.uniqueArray(fc.constantFrom(...formats), { minLength: 1 }),
    })
    .map(({ weekday, times, formats }): WeeklyHours => {
      const [start = '', end = ''] = [...times].sort();
      return { weekday, start, end, formats };
    });
  const start = fc.oneof(
    fc.integer({ min: 0, max: 365 * 24 * 60 }).map((minute) => Date.UTC(2027, 0, 1) + minute * MINUTE_MS),
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -18 * 60, max: 30 * 60 }))
      .map(([day, minute]) => day + minute * MINUTE_MS),
  );

  test('a session fits if and only if each of its minutes is offered', () => {
    const runs = testSize({ ci: 300, soak: 5_000 });
    let fitting = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.array(period, { maxLength: 40 }),
        fc.constantFrom(...formats),
        start,
        fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 480 })),
        (timezone, weeklyHours, format, startMs, minutes) => {
          const isOfferedAt = (minute: number) => {
            const local = DateTime.fromMillis(startMs + minute * MINUTE_MS, { zone: timezone });
            const time = local.toFormat('HH:mm');
            return weeklyHours.some(
              (hours) =>
                hours.weekday === local.weekday % 7 &&
                hours.formats.includes(format) &&
                hours.start <= time &&
                (time < hours.end || hours.end === '23:59'),
            );
          };
          const expected = Array.from({ length: minutes }, (_, minute) => minute).every(isOfferedAt);
          if (expected) fitting++;
          const session = { start: startMs, end: startMs + minutes * MINUTE_MS };
          expect(isOffered({ timezone, weeklyHours }, format, session)).toBe(expected);
        },
      ),
      { numRuns: runs },
    );
    expect(fitting).toBeGreaterThan(0);
  });
});

// Tests that dates as people write them have one meaning by language and time zone, or are rejected with a reason.
import { fc } from '@carecover/testing';
import { type DateReading, localTime, readInstantText } from './instant-text';
import { formatInstant } from './time';

const NOW = Date.parse('2026-11-27T22:00:00Z');
const NAIROBI: DateReading = {
  locale: 'en-KE',
  timeZone: 'Africa/Nairobi',
  now: NOW,
  edge: 'end',
  isPast: true,
};

function at(text: string, reading: Partial<DateReading> = {}): string {
  const read = readInstantText(text, { ...NAIROBI, ...reading });
  return read.ok ? formatInstant(read.at) : read.problem;
}

test.each([
  '7 Nov 2026',
  '07 Nov 2026',
  '7 november 2026',
  '7-Nov-2026',
  'Nov 7, 2026',
  'November 7th, 2026',
  '2026-11-07',
  '07/11/2026',
  '7.11.2026',
  ' 7  Nov  2026 ',
])('%s is the end of the day in the time zone', (text) => {
  expect(at(text)).toBe('2026-11-07T20:59:59.999Z');
});

test('a period begins with the start of a day', () => {
  expect(at('7 Nov 2026', { edge: 'start' })).toBe('2026-11-06T21:00:00.000Z');
});

test('the language decides the order of day and month', () => {
  expect(at('07/11/2026', { locale: 'en-GB' })).toBe('2026-11-07T20:59:59.999Z');
  expect(at('07/11/2026', { locale: 'en-US' })).toBe('2026-07-11T20:59:59.999Z');
});

test('a time is that of the time zone, unless it names its own', () => {
  expect(at('7 Nov 2026 14:30')).toBe('2026-11-07T11:30:00.000Z');
  expect(at('2026-11-07 14:30:05')).toBe('2026-11-07T11:30:05.000Z');
  expect(at('2026-11-07T14:30:05.123Z')).toBe('2026-11-07T14:30:05.123Z');
  expect(at('2026-11-07 14:30:05.000 UTC')).toBe('2026-11-07T14:30:05.000Z');
  expect(at('2026-11-07T14:30:05+01:00')).toBe('2026-11-07T13:30:05.000Z');
});

test('today ends now for what must have passed, and at its end for a deadline', () => {
  expect(at('today')).toBe('2026-11-27T22:00:00.000Z');
  expect(at('28 Nov 2026')).toBe('2026-11-27T22:00:00.000Z');
  expect(at('now')).toBe('2026-11-27T22:00:00.000Z');
  expect(at('yesterday')).toBe('2026-11-27T20:59:59.999Z');
  expect(at('28 Nov 2026', { isPast: false })).toBe('2026-11-28T20:59:59.999Z');
});

test.each([
  ['', 'must not be empty'],
  ['tomorrow', /^must be a date, such as 7 Nov 2026/],
  ['7 Nov 26', /^must be a date, such as 7 Nov 2026/],
  ['07/11/26', /^must be a date, such as 7 Nov 2026/],
  ['7 Novel 2026', /^must be a date, such as 7 Nov 2026/],
  ['31 Nov 2026', 'must be a date that exists'],
  ['2026-02-29', 'must be a date that exists'],
  ['2026-13-01', 'must be a date that exists'],
  ['7 Nov 2026 25:00', 'must have a time from 00:00 to 23:59'],
  ['29 Nov 2026', 'must not be in the future'],
  ['x'.repeat(61), /^must be a date/],
])('%j is rejected', (text, problem) => {
  expect(at(text)).toEqual(typeof problem === 'string' ? problem : expect.stringMatching(problem));
});

test('a day has 23 or 25 hours when the clocks change, and can begin at 01:00', () => {
  const length = (text: string, timeZone: string) => {
    const [start, end] = (['start', 'end'] as const).map((edge) => Date.parse(at(text, { timeZone, edge })));
    return ((end ?? 0) + 1 - (start ?? 0)) / 3_600_000;
  };
  expect(length('29 Mar 2026', 'Europe/Berlin')).toBe(23);
  expect(length('25 Oct 2026', 'Europe/Berlin')).toBe(25);
  expect(length('29 Mar 2026', 'Asia/Beirut')).toBe(23);
  expect(at('29 Mar 2026', { timeZone: 'Asia/Beirut', edge: 'start' })).toBe('2026-03-28T22:00:00.000Z');
});

test('the days of a time zone follow each other without gaps, and each instant is in its day', () => {
  const zones = [
    'UTC',
    'Africa/Nairobi',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Apia',
    'Asia/Beirut',
  ];
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(...zones), (day, timeZone) => {
      const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
      const reading = { ...NAIROBI, timeZone, now: Number.MAX_SAFE_INTEGER };
      const [start, end] = (['start', 'end'] as const).map((edge) => {
        const read = readInstantText(text, { ...reading, now: Date.parse('2100-01-01T00:00:00Z'), edge });
        return read.ok ? read.at : Number.NaN;
      });
      // Samoa had no 30 December 2011.
      if (text === '2011-12-30' && timeZone === 'Pacific/Apia') return;
      for (const instant of [start ?? 0, end ?? 0])
        expect(new Date(localTime(instant, timeZone)).toISOString().slice(0, 10)).toBe(text);
      expect(new Date(localTime((end ?? 0) + 1, timeZone)).toISOString().slice(0, 10) > text).toBe(true);
      expect(new Date(localTime((start ?? 0) - 1, timeZone)).toISOString().slice(0, 10) < text).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

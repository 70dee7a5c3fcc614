// Tests that parseInstant accepts every RFC 3339 date-time with an offset and floors it to the millisecond.
import { fc } from '@carecover/testing';
import { EARLIEST_INSTANT, formatInstant, LATEST_INSTANT, parseInstant, tryParseInstant } from './time';

const MINUTE = 60_000;
const instant = fc.integer({ min: EARLIEST_INSTANT + 1440 * MINUTE, max: LATEST_INSTANT - 1440 * MINUTE });
const offsetMinutes = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });

/** Formats an instant with an offset in minutes and additional digits after the milliseconds. */
function formatWithOffset(epochMs: number, offset: number, moreDigits: string): string {
  const local = new Date(epochMs + offset * MINUTE).toISOString().slice(0, -1);
  const distance = Math.abs(offset);
  const hours = String(Math.floor(distance / 60)).padStart(2, '0');
  const minutes = String(distance % 60).padStart(2, '0');
  return `${local}${moreDigits}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

test('parseInstant returns the instant that formatInstant formatted', () => {
  fc.assert(fc.property(instant, (epochMs) => parseInstant(formatInstant(epochMs)) === epochMs));
});

test('every offset and every fraction is floored to the millisecond', () => {
  const digits = fc.stringMatching(/^[0-9]{0,12}$/);
  fc.assert(
    fc.property(instant, offsetMinutes, digits, (epochMs, offset, more) => {
      const text = formatWithOffset(epochMs, offset, more);
      return parseInstant(text) === epochMs && parseInstant(text.toLowerCase()) === epochMs;
    }),
  );
});

test('returns the same as Date for every date-time that both accept', () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
  const text = fc
    .tuple(fc.integer({ min: 1900, max: 2100 }), two(13), two(32), two(25), two(61), two(61))
    .map(
      ([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}Z`,
    );
  fc.assert(
    fc.property(text, (candidate) => {
      const date = new Date(candidate);
      // Unlike RFC 3339, `Date` accepts the hour 24 and a day after the end of the month. Both change when the date is formatted again.
      const exact = !Number.isNaN(date.getTime()) && date.toISOString() === candidate.replace('Z', '.000Z');
      return tryParseInstant(candidate) === (exact ? date.getTime() : undefined);
    }),
  );
});

test('a fraction before 1970 is floored, not truncated towards zero', () => {
  expect(parseInstant('1969-12-31T23:59:59.9999Z')).toBe(-1);
  expect(parseInstant('1969-12-31T23:59:59.0009Z')).toBe(-1000);
});

test.each([
  '2027-02-29T00:00:00Z',
  '2027-04-31T00:00:00Z',
  '2027-00-10T00:00:00Z',
  '2027-13-10T00:00:00Z',
  '2027-01-00T00:00:00Z',
  '2027-01-01T24:00:00Z',
  '2027-01-01T00:60:00Z',
  '2016-12-31T23:59:60Z',
  '2027-01-01T00:00:00',
  '2027-01-01 00:00:00Z',
  '2027-01-01T00:00Z',
  '2027-01-01T00:00:00.Z',
  '2027-01-01T00:00:00,5Z',
  '2027-01-01T00:00:00+24:00',
  '2027-01-01T00:00:00+01:60',
  '2027-01-01T00:00:00+0100',
  '2027-01-01T00:00:00Z ',
  '2027-01-01T00:00:00Z\n',
  '02027-01-01T00:00:00Z',
  '+002027-01-01T00:00:00Z',
  '0000-12-31T23:59:59Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '٢٠٢٧-01-01T00:00:00Z',
  '2027-01-01',
  'now',
  '',
])('rejects %j', (text) => {
  expect(tryParseInstant(text)).toBeUndefined();
  expect(() => parseInstant(text)).toThrow(RangeError);
});

test.each([
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['2027-01-01T00:00:00-00:00', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01t00:00:00z', '2027-01-01T00:00:00.000Z'],
  ['0099-06-01T12:00:00Z', '0099-06-01T12:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
])('reads %s as %s', (text, written) => {
  expect(formatInstant(parseInstant(text))).toBe(written);
});

test('formatInstant throws for an instant outside the years 0001 to 9999', () => {
  for (const epochMs of [EARLIEST_INSTANT - 1, LATEST_INSTANT + 1, Number.NaN]) {
    expect(() => formatInstant(epochMs)).toThrow(RangeError);
  }
});

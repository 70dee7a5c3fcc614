// Instants survive the wire: any RFC 3339 spelling means the same moment, floored to the millisecond.
import { fc } from '@carecover/local/properties';
import { EARLIEST_INSTANT, formatInstant, LATEST_INSTANT, parseInstant, tryParseInstant } from './time';

const MINUTE = 60_000;
const instant = fc.integer({ min: EARLIEST_INSTANT + 1440 * MINUTE, max: LATEST_INSTANT - 1440 * MINUTE });
const offsetMinutes = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 });

/** The instant as a local time at an offset, with more digits after its milliseconds. */
function spell(epochMs: number, offset: number, moreDigits: string): string {
  const local = new Date(epochMs + offset * MINUTE).toISOString().slice(0, -1);
  const distance = Math.abs(offset);
  const hours = String(Math.floor(distance / 60)).padStart(2, '0');
  const minutes = String(distance % 60).padStart(2, '0');
  return `${local}${moreDigits}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

test('what is written is read back as the same instant', () => {
  fc.assert(fc.property(instant, (epochMs) => parseInstant(formatInstant(epochMs)) === epochMs));
});

test('every offset and every fraction of an instant means its millisecond, floored', () => {
  const digits = fc.stringMatching(/^[0-9]{0,12}$/);
  fc.assert(
    fc.property(instant, offsetMinutes, digits, (epochMs, offset, more) => {
      const text = spell(epochMs, offset, more);
      return parseInstant(text) === epochMs && parseInstant(text.toLowerCase()) === epochMs;
    }),
  );
});

test('agrees with the engine on every date-time that both take', () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
  const text = fc
    .tuple(fc.integer({ min: 1900, max: 2100 }), two(13), two(32), two(25), two(61), two(61))
    .map(
      ([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}Z`,
    );
  fc.assert(
    fc.property(text, (candidate) => {
      const engine = new Date(candidate);
      // The engine forgives a day past the month's end and hour 24, which RFC 3339 doesn't have.
      const exact =
        !Number.isNaN(engine.getTime()) && engine.toISOString() === candidate.replace('Z', '.000Z');
      return tryParseInstant(candidate) === (exact ? engine.getTime() : undefined);
    }),
  );
});

test('a fraction before 1970 is floored, not cut towards zero', () => {
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

test('an instant that four-digit years cannot write is not written', () => {
  for (const epochMs of [EARLIEST_INSTANT - 1, LATEST_INSTANT + 1, Number.NaN]) {
    expect(() => formatInstant(epochMs)).toThrow(RangeError);
  }
});

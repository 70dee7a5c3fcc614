// Parses and formats instants. Requests use any RFC 3339 date-time with an offset, responses use UTC with milliseconds, and the
// code uses epoch milliseconds.

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/** The first and last instants with a four-digit year, in epoch milliseconds. PostgreSQL supports all instants between these two. */
export const EARLIEST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
export const LATEST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** The pattern of every timestamp in a response or an event. */
export const OUTPUT_INSTANT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';

/**
 * Parses an RFC 3339 date-time to epoch milliseconds, floored to the millisecond. Returns undefined for other text: without an
 * offset, with a day that the month doesn't have, hour 24 or a leap second, or outside the years 0001 to 9999 in UTC.
 *
 * @example tryParseInstant('2027-03-01T10:00:00+03:00') // 1803884400000
 */
export function tryParseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000;
  // The fraction is added to the whole second, also for instants before 1970. Dropping the fraction's digits after the third therefore
  // floors the instant.
  const fractionMs = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  const instant = date.getTime() + fractionMs - (sign === '-' ? -offset : offset);
  return instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT ? instant : undefined;
}

/** Parses an RFC 3339 date-time that a schema accepted. See tryParseInstant. @throws RangeError if it is not valid */
export function parseInstant(text: string): number {
  const instant = tryParseInstant(text);
  if (instant === undefined) throw new RangeError(`not an RFC 3339 date-time: ${text.slice(0, 100)}`);
  return instant;
}

/**
 * Formats epoch milliseconds as UTC with milliseconds and `Z`.
 *
 * @throws RangeError outside the years 0001 to 9999
 * @example formatInstant(0) // '1970-01-01T00:00:00.000Z'
 */
export function formatInstant(epochMs: number): string {
  if (!(epochMs >= EARLIEST_INSTANT && epochMs <= LATEST_INSTANT)) {
    throw new RangeError(`not an instant of the years 0001 to 9999: ${epochMs}`);
  }
  return new Date(epochMs).toISOString();
}

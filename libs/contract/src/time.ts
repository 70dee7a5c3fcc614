// Instants on the wire: any RFC 3339 date-time with an offset comes in, UTC with milliseconds goes out. Inside, epoch milliseconds.

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/** The first and last instants that can be written with a four-digit year, which are also years that PostgreSQL has. */
export const EARLIEST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
export const LATEST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** The form of every timestamp that leaves the service. */
export const OUTPUT_INSTANT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';

/**
 * The instant that an RFC 3339 date-time names, in epoch milliseconds, floored to the millisecond.
 * Undefined for anything else: no offset, a day that the month doesn't have, hour 24, a leap second, or an instant
 * outside the years 0001 to 9999 in UTC.
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
  // A fraction counts upwards from its second, also before 1970: cutting it after three digits is the floor.
  const fractionMs = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  const instant = date.getTime() + fractionMs - (sign === '-' ? -offset : offset);
  return instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT ? instant : undefined;
}

/** As tryParseInstant, for text that a schema has accepted: throws RangeError if it is no date-time. */
export function parseInstant(text: string): number {
  const instant = tryParseInstant(text);
  if (instant === undefined) throw new RangeError(`not an RFC 3339 date-time: ${text.slice(0, 100)}`);
  return instant;
}

/** An instant as the service writes it: UTC, milliseconds, `Z`. Throws RangeError outside the years 0001 to 9999. */
export function formatInstant(epochMs: number): string {
  if (!(epochMs >= EARLIEST_INSTANT && epochMs <= LATEST_INSTANT)) {
    throw new RangeError(`no instant of the years 0001 to 9999: ${epochMs}`);
  }
  return new Date(epochMs).toISOString();
}

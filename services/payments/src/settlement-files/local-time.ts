/**
 * Dates and times as banks write them: XML Schema allows a date or a date-time without an offset, which then is the local time of the account.
 */
import { tryParseInstant } from '@carecover/contract';
import { DateTime, IANAZone } from 'luxon';

/** When an entry was booked. */
export interface BookingTime {
  /** The date as the bank writes it, `YYYY-MM-DD`. It does not depend on the account's time zone. */
  readonly bookedOn: string;
  /** The instant, in ISO 8601 with an offset. The instant of a date is its first one in the account's time zone. */
  readonly observedAt: string;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}(?:\.\d+)?))?(Z|[+-]\d{2}:\d{2})?$/;

/** Returns whether a text is the name of a time zone of the IANA database, such as `Africa/Nairobi`. */
export function isTimeZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/**
 * Parses a date or date-time of XML Schema (xs:date, xs:dateTime). `24:00:00` is the first instant of the next day. A time that the zone's clocks skip
 * in spring is taken as the time that they show instead.
 *
 * @param zone the IANA time zone of a text without an offset
 * @returns undefined if the text is another form, or a date that does not exist
 * @example parseBookingTime('2026-11-20T24:00:00', 'Africa/Nairobi') // { bookedOn: '2026-11-21', observedAt: '2026-11-20T21:00:00.000Z' }
 */
export function parseBookingTime(text: string, zone: string): BookingTime | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (match === null) return undefined;
  const [, date = '', time = '00:00:00', offset] = match;
  const isEndOfDay = /^24:00:00(?:\.0+)?$/.test(time);
  const day = DateTime.fromISO(date, { zone: 'UTC' }).plus({ days: isEndOfDay ? 1 : 0 });
  if (!day.isValid) return undefined;
  const bookedOn = day.toFormat('yyyy-MM-dd');
  const written = `${bookedOn}T${isEndOfDay ? '00:00:00' : time}`;
  // A time that does not exist on any day, such as 25:00:00, is rejected with an offset as without.
  if (tryParseInstant(`${written}Z`) === undefined) return undefined;
  const observedAt =
    offset === undefined ? DateTime.fromISO(written, { zone }).toUTC().toISO() : `${written}${offset}`;
  if (observedAt === null || tryParseInstant(observedAt) === undefined) return undefined;
  return { bookedOn, observedAt };
}

/** Returns the date, `YYYY-MM-DD`, that calendars of a time zone show at an instant. */
export function localDateOf(instant: Date, zone: string): string {
  return DateTime.fromJSDate(instant, { zone }).toFormat('yyyy-MM-dd');
}

/**
 * Returns the first instant of a date in a time zone, and that of the next date.
 *
 * @param day `YYYY-MM-DD`
 * @returns undefined if the date or the IANA time zone does not exist
 * @example dayBounds('2026-11-20', 'Africa/Nairobi') // from 2026-11-19T21:00:00Z to 2026-11-20T21:00:00Z
 */
export function dayBounds(
  day: string,
  zone: string,
): { readonly start: Date; readonly end: Date } | undefined {
  const start = DateTime.fromISO(day, { zone });
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !start.isValid) return undefined;
  return { start: start.toJSDate(), end: start.plus({ days: 1 }).startOf('day').toJSDate() };
}

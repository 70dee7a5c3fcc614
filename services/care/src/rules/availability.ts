/**
 * Whether a session fits a practitioner's weekly hours. A session fits if every instant of it, in the practitioner's local time, is within
 * the hours. So an hour that a change to summer time skips does not exist, and an hour that the change back repeats counts twice. A move
 * across the date line is an ordinary change of the offset.
 *
 * Adjacent or overlapping periods are one period if both offer the format: 09:00-12:00 and 12:00-17:00 fit a session from 11:30 to 12:30.
 * An end of 23:59, the last possible value, means midnight, so hours can continue on the next day.
 */
import type { SessionFormat, WeeklyHours } from '@carecover/contract';
import { IANAZone } from 'luxon';

export interface WeeklyAvailability {
  /** IANA name of the time zone of the hours. */
  readonly timezone: string;
  readonly weeklyHours: readonly WeeklyHours[];
}

/** A time span, end exclusive: in epoch milliseconds, or in milliseconds since Sunday 00:00 of a week. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4;

/** Converts a time of day `HH:MM` to milliseconds since midnight. */
function timeOfDayMs(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * MINUTE_MS;
}

/** Returns the periods that offer the format, of two consecutive weeks, so that a period can continue past the end of a week. Adjacent ones are joined. */
function offeredSpans(hours: readonly WeeklyHours[], format: SessionFormat): Span[] {
  const spans = hours
    .filter((period) => period.formats.includes(format))
    .map((period) => ({
      start: period.weekday * DAY_MS + timeOfDayMs(period.start),
      end: period.weekday * DAY_MS + (period.end === '23:59' ? DAY_MS : timeOfDayMs(period.end)),
    }));
  const twoWeeks = [
    ...spans,
    ...spans.map(({ start, end }) => ({ start: start + WEEK_MS, end: end + WEEK_MS })),
  ];
  const joined: Span[] = [];
  for (const span of twoWeeks.sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || span.start > last.end) joined.push(span);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return joined;
}

/** Finds the instant within the session at which the zone's offset changes. */
function offsetChange(zone: IANAZone, session: Span): number {
  const before = zone.offset(session.start);
  let { start, end } = session;
  while (end - start > 1) {
    const middle = Math.floor((start + end) / 2);
    if (zone.offset(middle) === before) start = middle;
    else end = middle;
  }
  return end;
}

/** Splits the session where the zone's offset changes. */
function splitAtOffsetChange(zone: IANAZone, session: Span): Span[] {
  if (zone.offset(session.start) === zone.offset(session.end - 1)) return [session];
  const change = offsetChange(zone, session);
  return [
    { start: session.start, end: change },
    { start: change, end: session.end },
  ];
}

/** Converts a part of a session with one offset to the practitioner's week. It can end in the next week. */
function inWeek(zone: IANAZone, part: Span): Span {
  const localMs = part.start + zone.offset(part.start) * MINUTE_MS + EPOCH_WEEKDAY * DAY_MS;
  const start = ((localMs % WEEK_MS) + WEEK_MS) % WEEK_MS;
  return { start, end: start + part.end - part.start };
}

/**
 * Whether the practitioner offers the format throughout the session.
 *
 * @param session epoch milliseconds, end exclusive; shorter than a day, so that the offset changes at most once in it
 */
export function isOffered(availability: WeeklyAvailability, format: SessionFormat, session: Span): boolean {
  const zone = IANAZone.create(availability.timezone);
  const offered = offeredSpans(availability.weeklyHours, format);
  return splitAtOffsetChange(zone, session)
    .map((part) => inWeek(zone, part))
    .every(({ start, end }) => offered.some((span) => span.start <= start && end <= span.end));
}

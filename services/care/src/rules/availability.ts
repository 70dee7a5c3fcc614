/**
 * Computes the times that a practitioner's weekly hours offer, and whether a session fits them. A session fits if every instant of it, in
 * the practitioner's local time, is within the hours. So an hour that a change to summer time skips does not exist, and an hour that the
 * change back repeats counts twice. If a time zone moves across the date line, its offset changes like at any other change.
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

/** A time span, end exclusive: in epoch milliseconds, or for weekly hours in milliseconds since Sunday 00:00 local time. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** The weekday of 1 January 1970, a Thursday, counted from Sunday as 0. */
const EPOCH_WEEKDAY = 4;

/** Converts a time of day `HH:MM` to milliseconds since midnight. */
function timeOfDayMs(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * MINUTE_MS;
}

/** Returns the periods of a week in which the session format is offered. A period can end at the start of the next week. */
function offeredInWeek(hours: readonly WeeklyHours[], format: SessionFormat): Span[] {
  return hours
    .filter((period) => period.formats.includes(format))
    .map((period) => ({
      start: period.weekday * DAY_MS + timeOfDayMs(period.start),
      end: period.weekday * DAY_MS + (period.end === '23:59' ? DAY_MS : timeOfDayMs(period.end)),
    }));
}

/** Joins adjacent and overlapping spans. Returns them in ascending order. */
function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || span.start > last.end) joined.push(span);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return joined;
}

/** Finds the instant within the span at which the zone's offset changes. */
function offsetChange(zone: IANAZone, span: Span): number {
  const before = zone.offset(span.start);
  let { start, end } = span;
  while (end - start > 1) {
    const middle = Math.floor((start + end) / 2);
    if (zone.offset(middle) === before) start = middle;
    else end = middle;
  }
  return end;
}

/** Splits a range into spans in each of which the zone's offset is constant. The offset changes at most once in a day. */
function* constantOffsets(zone: IANAZone, range: Span): Generator<Span> {
  for (let { start } = range; start < range.end; ) {
    const day = { start, end: Math.min(range.end, start + DAY_MS) };
    const isConstant = zone.offset(start) === zone.offset(day.end - 1);
    const end = isConstant ? day.end : offsetChange(zone, day);
    yield { start, end };
    start = end;
  }
}

/**
 * Returns the time spans within the range in which the practitioner offers the session format, in ascending order. Adjacent spans are joined.
 *
 * @param range epoch milliseconds, end exclusive
 */
export function offeredSpans(availability: WeeklyAvailability, format: SessionFormat, range: Span): Span[] {
  const zone = IANAZone.create(availability.timezone);
  const inWeek = offeredInWeek(availability.weeklyHours, format);
  const found: Span[] = [];
  for (const part of constantOffsets(zone, range)) {
    // An instant plus this shift is a number of milliseconds since a Sunday 00:00 in local time.
    const shift = zone.offset(part.start) * MINUTE_MS + EPOCH_WEEKDAY * DAY_MS;
    const firstWeek = Math.floor((part.start + shift) / WEEK_MS) * WEEK_MS;
    for (let week = firstWeek; week < part.end + shift; week += WEEK_MS) {
      for (const period of inWeek) {
        const start = Math.max(part.start, week - shift + period.start);
        const end = Math.min(part.end, week - shift + period.end);
        if (start < end) found.push({ start, end });
      }
    }
  }
  return joinSpans(found);
}

/**
 * Returns whether the practitioner offers the session format from the session's start to its end.
 *
 * @param session epoch milliseconds, end exclusive
 */
export function isOffered(availability: WeeklyAvailability, format: SessionFormat, session: Span): boolean {
  const [offered] = offeredSpans(availability, format, session);
  return offered?.start === session.start && offered.end === session.end;
}

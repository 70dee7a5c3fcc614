/**
 * Whether a session fits a practitioner's week. A moment is bookable when the practitioner's wall clock shows, at that moment,
 * a weekday and time of their hours; a session fits when every one of its moments is. So on the day when clocks go forward the
 * skipped hour doesn't exist, on the day when they go back the repeated hour counts both times, and a jump across the date
 * line is a change of offset like any other.
 *
 * Stretches that touch or overlap are one, provided that each offers the format: 09:00-12:00 and 12:00-17:00 hold a session
 * from 11:30 to 12:30. An end of 23:59, the latest that can be written, means midnight, so hours can run on into the next day.
 */
import type { SessionFormat, WeeklyHours } from '@carecover/contract';
import { IANAZone } from 'luxon';

export interface WeeklyAvailability {
  /** IANA name of the zone in which the hours are meant. */
  readonly timezone: string;
  readonly weeklyHours: readonly WeeklyHours[];
}

/** A span of time, end exclusive; epoch milliseconds, or milliseconds from Sunday 00:00 of a week. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4;

/** A time of day `HH:MM` in milliseconds from midnight. */
function timeOfDayMs(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * MINUTE_MS;
}

/** The stretches of two weeks in a row that offer the format, the touching ones joined: so none ends at the week's end. */
function offeredSpans(hours: readonly WeeklyHours[], format: SessionFormat): Span[] {
  const spans = hours
    .filter((stretch) => stretch.formats.includes(format))
    .map((stretch) => ({
      start: stretch.weekday * DAY_MS + timeOfDayMs(stretch.start),
      end: stretch.weekday * DAY_MS + (stretch.end === '23:59' ? DAY_MS : timeOfDayMs(stretch.end)),
    }));
  const fortnight = [
    ...spans,
    ...spans.map(({ start, end }) => ({ start: start + WEEK_MS, end: end + WEEK_MS })),
  ];
  const joined: Span[] = [];
  for (const span of fortnight.sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || span.start > last.end) joined.push(span);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return joined;
}

/** The moment at which the zone's offset changes between two moments whose offsets differ. */
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

/** The session cut where the zone's offset changes: within a piece the wall clock runs evenly. */
function evenPieces(zone: IANAZone, session: Span): Span[] {
  if (zone.offset(session.start) === zone.offset(session.end - 1)) return [session];
  const change = offsetChange(zone, session);
  return [
    { start: session.start, end: change },
    { start: change, end: session.end },
  ];
}

/** Where a piece lies in the practitioner's week; it may run on into the next one. */
function inWeek(zone: IANAZone, piece: Span): Span {
  const wallClockMs = piece.start + zone.offset(piece.start) * MINUTE_MS + EPOCH_WEEKDAY * DAY_MS;
  const start = ((wallClockMs % WEEK_MS) + WEEK_MS) % WEEK_MS;
  return { start, end: start + piece.end - piece.start };
}

/**
 * Whether the practitioner offers the format throughout the session.
 *
 * @param session epoch milliseconds, end exclusive; shorter than a day, so that the offset changes at most once in it
 */
export function isOffered(availability: WeeklyAvailability, format: SessionFormat, session: Span): boolean {
  const zone = IANAZone.create(availability.timezone);
  const offered = offeredSpans(availability.weeklyHours, format);
  return evenPieces(zone, session)
    .map((piece) => inWeek(zone, piece))
    .every(({ start, end }) => offered.some((span) => span.start <= start && end <= span.end));
}

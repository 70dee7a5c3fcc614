/**
 * Instants as people write them: `7 Nov 2026`, `2026-11-07`, `07/11/2026 14:30`. A day means its end in the time zone of the project, or its
 * start where a period begins. Every form that reads a date from a person uses {@link readInstantText}. Pure functions.
 */
import { EARLIEST_INSTANT, LATEST_INSTANT, tryParseInstant } from './time';

/** How a text with a date is read. */
export interface DateReading {
  /** A language tag (BCP 47): it decides whether `07/11/2026` is 7 November or July 11. */
  readonly locale: string;
  /** The time zone (IANA) of days and of times without an offset. */
  readonly timeZone: string;
  /** The current time in epoch milliseconds. The end of the current day is now if `isPast`. */
  readonly now: number;
  /** Whether a day without a time means its end or its start. */
  readonly edge: 'end' | 'start';
  /** Whether the instant must have passed, as that of a cutoff: then the current day ends now. */
  readonly isPast: boolean;
}

/** An instant in epoch milliseconds, or what is wrong with the text: words that follow the name of the field. */
export type ReadInstant =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly problem: string };

const DAY_MS = 86_400_000;
const MAX_TEXT_LENGTH = 60;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const EXPECTED = 'must be a date, such as 7 Nov 2026 or 2026-11-07, with or without a time such as 14:30';

const rejected = (problem: string): ReadInstant => ({ ok: false, problem });

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of a time zone. Formats are kept, because to make one takes longer than to use it. There are some 600 time zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}

/** Returns the local time of an instant as if it were in UTC, in epoch milliseconds. @throws RangeError for an unknown time zone */
export function localTime(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const date = new Date(0);
  date.setUTCFullYear(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day);
  date.setUTCHours(parts.hour ?? 0, parts.minute, parts.second);
  return date.getTime() + (((at % 1000) + 1000) % 1000);
}

/**
 * Returns the instant of a local time. Of a local time that occurs twice it is the first, and of one that is skipped, the instant as many
 * minutes after the change of the clocks.
 */
function instantOf(local: number, timeZone: string): number {
  const offsets = [-DAY_MS, DAY_MS].map(
    (distance) => localTime(local + distance, timeZone) - (local + distance),
  );
  const found = offsets.map((offset) => local - offset).filter((at) => localTime(at, timeZone) === local);
  return found.length > 0 ? Math.min(...found) : local - (offsets[0] ?? 0);
}

/** Returns the midnight of a date as if it were in UTC; undefined if there is no such date. */
function dateOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : undefined;
}

/** Returns whether a language (BCP 47) writes the day before the month. */
export function isDayFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(0);
  const place = (type: string) => parts.findIndex((part) => part.type === type);
  return place('day') < place('month');
}

/** Reads a date; null if the text has not the form of a date, undefined if there is no such date. */
function readDate(text: string, locale: string): number | undefined | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso !== null) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const named =
    /^(?<day>\d{1,2})\.?[ -]?(?<month>\p{L}+)\.?[ ,-]*(?<year>\d{4})$/u.exec(text) ??
    /^(?<month>\p{L}+)\.? ?(?<day>\d{1,2})(?:st|nd|rd|th)?[ ,]+(?<year>\d{4})$/u.exec(text);
  if (named?.groups !== undefined) {
    const { day, month = '', year } = named.groups;
    const number = MONTHS.indexOf(month.slice(0, 3)) + 1;
    const isMonth = month.length === 3 || month === 'sept' || FULL_MONTHS.includes(month);
    return isMonth && number > 0 ? dateOf(Number(year), number, Number(day)) : null;
  }
  const numeric = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})$/.exec(text);
  if (numeric === null) return null;
  const [first, second, year] = [Number(numeric[1]), Number(numeric[3]), Number(numeric[4])];
  // A point between the numbers is only written by languages that write the day first.
  return numeric[2] === '.' || isDayFirst(locale) ? dateOf(year, second, first) : dateOf(year, first, second);
}

const FULL_MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
    .format(Date.UTC(2026, month))
    .toLowerCase(),
);

/**
 * Reads an instant that a person typed or pasted: an RFC 3339 date-time, a date, a date with a time, `now`, `today` or `yesterday`.
 *
 * @throws RangeError for an unknown language or time zone
 * @example
 * const reading = { locale: 'en-KE', timeZone: 'Africa/Nairobi', now: Date.now(), edge: 'end', isPast: true } as const;
 * readInstantText('7 Nov 2026', reading) // { ok: true, at: Date.parse('2026-11-07T20:59:59.999Z') }
 */
export function readInstantText(text: string, reading: DateReading): ReadInstant {
  const { locale, timeZone, now, edge, isPast } = reading;
  if (text.length > MAX_TEXT_LENGTH) return rejected(EXPECTED);
  const plain = text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  if (plain === '') return rejected('must not be empty');
  const exact = tryParseInstant(plain.replace(/ UTC$/i, 'Z').replace(' ', 'T'));
  if (exact !== undefined) return inTime(exact, reading);
  const lower = plain.toLowerCase();
  if (lower === 'now') return { ok: true, at: now };
  const [, datePart = lower, hour, minute, second] =
    /^(.*?)[ ,t]+(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(lower) ?? [];
  const today = Math.floor(localTime(now, timeZone) / DAY_MS) * DAY_MS;
  const relative = { today, yesterday: today - DAY_MS }[datePart];
  const date = relative ?? readDate(datePart.replace(/,$/, ''), locale);
  if (date === null) return rejected(EXPECTED);
  if (date === undefined) return rejected('must be a date that exists');
  if (hour !== undefined) {
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59)
      return rejected('must have a time from 00:00 to 23:59');
    const time = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second ?? 0) * 1000;
    return inTime(instantOf(date + time, timeZone), reading);
  }
  if (edge === 'start') return inTime(instantOf(date, timeZone), reading);
  const end = instantOf(date + DAY_MS, timeZone) - 1;
  return isPast && date === today ? { ok: true, at: Math.min(end, now) } : inTime(end, reading);
}

/** Checks that the instant has passed where it must have passed, and that it is in the years that the API accepts. */
function inTime(at: number, { now, isPast }: DateReading): ReadInstant {
  if (at < EARLIEST_INSTANT || at > LATEST_INSTANT) return rejected('must be in the years 0001 to 9999');
  return isPast && at > now ? rejected('must not be in the future') : { ok: true, at };
}

/** Local dates and times of an instant in a time zone. Instants are epoch milliseconds. The names of months do not depend on the runtime. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

interface Local {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const two = (value: number) => String(value).padStart(2, '0');

/** The formats by time zone, because the creation of one takes longer than many uses. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 50;

function formatOf(name: string): Intl.DateTimeFormat {
  const format =
    FORMATS.get(name) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  if (FORMATS.size < MAX_FORMATS) FORMATS.set(name, format);
  return format;
}

export class Zone {
  private readonly format: Intl.DateTimeFormat;

  /** @param name an IANA time zone. @throws RangeError if the runtime does not know the time zone */
  constructor(readonly name: string) {
    this.format = formatOf(name);
  }

  local(at: number): Local {
    const parts: Record<string, number> = {};
    for (const { type, value } of this.format.formatToParts(at)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return { year, month, day, hour, minute, second };
  }

  /** Returns the instant of a local time. Months and days beyond their range count on, as in `Date.UTC`; `month` counts from 1. */
  instant(year: number, month: number, day: number, hour = 0): number {
    const utc = Date.UTC(year, month - 1, day, hour);
    // The offset is read twice, because it can change between the first estimate and the result.
    const estimate = utc - this.offset(utc);
    return utc - this.offset(estimate);
  }

  private offset(at: number): number {
    const { year, month, day, hour, minute, second } = this.local(at);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
  }

  /** Returns the last millisecond of the local day, `days` days later. */
  endOfDay(at: number, days = 0): number {
    const { year, month, day } = this.local(at);
    return this.instant(year, month, day + days + 1) - 1;
  }

  /** Returns the last millisecond of the local month before the month of `at`. */
  endOfLastMonth(at: number): number {
    const { year, month } = this.local(at);
    return this.instant(year, month, 1) - 1;
  }

  /** Returns by how many local days `later` is after `earlier`. */
  days(earlier: number, later: number): number {
    const [a, b] = [this.local(earlier), this.local(later)];
    return Math.round((Date.UTC(b.year, b.month - 1, b.day) - Date.UTC(a.year, a.month - 1, a.day)) / DAY_MS);
  }

  /** Formats the local day: `7 Nov`, or `7 Nov 2026` with its year. */
  day(at: number, hasYear = false): string {
    const { year, month, day } = this.local(at);
    return `${day} ${MONTHS[month - 1]}${hasYear ? ` ${year}` : ''}`;
  }

  month(at: number): string {
    const { year, month } = this.local(at);
    return `${MONTHS[month - 1]} ${year}`;
  }

  /** Formats the local time of day, `14:05`, or to the second, `14:05:09`. */
  time(at: number, hasSeconds = false): string {
    const { hour, minute, second } = this.local(at);
    return `${two(hour)}:${two(minute)}${hasSeconds ? `:${two(second)}` : ''}`;
  }

  isEndOfDay(at: number): boolean {
    return at === this.endOfDay(at);
  }
}

/**
 * Returns how much later a fact was learned than it took effect, such as `21 days later`; null if it was learned within a minute.
 *
 * @example lagOf(new Zone('Africa/Nairobi'), Date.parse('2026-10-15T09:00Z'), Date.parse('2026-11-05T08:00Z')) // '21 days later'
 */
export function lagOf(zone: Zone, effective: number, recorded: number): string | null {
  const lag = recorded - effective;
  if (lag < MINUTE_MS) return null;
  const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'} later`;
  const days = zone.days(effective, recorded);
  if (days > 0 && lag >= 12 * HOUR_MS) return count(days, 'day');
  return lag >= HOUR_MS
    ? count(Math.floor(lag / HOUR_MS), 'hour')
    : count(Math.floor(lag / MINUTE_MS), 'minute');
}

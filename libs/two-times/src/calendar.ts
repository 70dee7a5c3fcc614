/** The calendar of the picture: its first and last instant, and its ticks. Instants are epoch milliseconds. */
import type { Mark } from './story';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Zone } from './zone';

export interface Tick {
  readonly at: number;
  readonly label: string;
}

const LEAD_MS = 3 * DAY_MS;
/** The largest part of the calendar before the first fact. */
const LEAD_PART = 1 / 5;
const SECOND_MS = 1_000;

/**
 * Returns the span of the calendar: from three days before the first fact to now, or less before it where all facts are within days, so that they
 * fill the picture.
 */
export function spanOf(marks: readonly Mark[], now: number): { from: number; until: number } {
  const first = Math.min(...marks.map(({ effective, recorded }) => Math.min(effective, recorded)));
  const until = Math.max(
    now,
    ...marks.map(({ effective, recorded }) => Math.max(effective, recorded)),
    first + SECOND_MS,
  );
  const lead = Math.min(LEAD_MS, ((until - first) * LEAD_PART) / (1 - LEAD_PART));
  return { from: Math.floor(first - lead), until };
}

/** The distances of ticks in milliseconds, for spans that are too short for ticks by months. */
const SHORT_STEPS = [
  ...[1, 2, 5, 10, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS),
];

function* localSteps(zone: Zone, from: number, until: number, unit: 'month' | 'day' | 'hour', every: number) {
  const { year, month, day } = zone.local(from);
  for (let step = 0; ; step += every) {
    // Months count from January, hours from midnight, so that the ticks stand at the same dates wherever the calendar begins.
    const at =
      unit === 'month'
        ? zone.instant(year, 1 + step, 1)
        : unit === 'day'
          ? zone.instant(year, month, day + step)
          : zone.instant(year, month, day, step);
    if (at > until) return;
    if (at >= from) yield at;
  }
}

/** Returns ticks that are at least `space` pixels apart, of a calendar that is `length` pixels long. */
export function ticksOf(
  zone: Zone,
  { from, until }: { from: number; until: number },
  length: number,
  space: number,
): Tick[] {
  const most = Math.max(1, Math.floor(length / space));
  const span = until - from;
  const month = 30 * DAY_MS;
  const label = {
    month: (at: number) => zone.month(at),
    day: (at: number) => zone.day(at),
    hour: (at: number) => `${zone.day(at)} ${zone.time(at)}`,
  };
  const choices: readonly (readonly ['month' | 'day' | 'hour', number, number])[] = [
    ...([1, 2, 3, 6, 12, 24, 60, 120, 240, 600] as const).map(
      (every) => ['month', every, every * month] as const,
    ),
  ];
  const days: readonly (readonly ['month' | 'day' | 'hour', number, number])[] = [
    ...([1, 2, 3, 6, 12] as const).map((every) => ['hour', every, every * HOUR_MS] as const),
    ...([1, 2, 3, 5, 7, 14] as const).map((every) => ['day', every, every * DAY_MS] as const),
  ];
  if (span < 6 * HOUR_MS) {
    const every = SHORT_STEPS.find((step) => span / step <= most) ?? 2 * HOUR_MS;
    const first = Math.ceil(from / every) * every;
    const count = Math.floor((until - first) / every) + 1;
    const hasSeconds = every < MINUTE_MS;
    return Array.from({ length: count }, (_, index) => {
      const at = first + index * every;
      return { at, label: zone.time(at, hasSeconds) };
    });
  }
  const candidates = span < 2.5 * month ? [...days, ...choices] : choices;
  const [unit, every] = candidates.find(([, , ms]) => span / ms <= most) ?? ['month', 1200, 0];
  return [...localSteps(zone, from, until, unit, every)].map((at) => ({ at, label: label[unit](at) }));
}

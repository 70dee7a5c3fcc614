/** When a try comes after one that failed. Pure: chance comes in as an argument. */
import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';

/** How far from its time a try may come, as a share of the pause, so that what failed together does not return together. */
const JITTER = 0.1;

/**
 * The pause before the next try, in milliseconds; null where the round has no further one.
 *
 * @param made how many tries of the round have been made, at least 1
 * @param random from 0 up to 1
 */
export function pauseBeforeNextTry(made: number, random: number): number | null {
  const pause = WEBHOOK_SCHEDULE_MS[made];
  if (pause === undefined) return null;
  return Math.round(pause * (1 + JITTER * (2 * random - 1)));
}

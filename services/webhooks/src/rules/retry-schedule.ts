/** When the next attempt of a delivery follows a failed one. `WEBHOOK_SCHEDULE_MS` of the contract has the delays; this file adds jitter. */
import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';

/** The largest deviation, as a share of the delay. Jitter spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.1;

/**
 * Returns the delay before the next attempt, in milliseconds; null if the round has no further attempt.
 *
 * @param made the number of attempts of the round so far, at least 1
 * @param random from 0 up to 1
 */
export function retryDelayMs(made: number, random: number): number | null {
  const delay = WEBHOOK_SCHEDULE_MS[made];
  if (delay === undefined) return null;
  return Math.round(delay * (1 + JITTER * (2 * random - 1)));
}

/**
 * The delay between a failed attempt of a delivery and the next attempt: the delay in `WEBHOOK_SCHEDULE_MS` of the API contract, with
 * jitter.
 */
import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';

/** The largest deviation from a delay, as a share of it. Jitter spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.1;

/**
 * Returns the delay before the next attempt of a delivery, in milliseconds; null if the round of attempts is over.
 *
 * @param made the number of attempts that were made in the round, at least 1
 * @param random a random number from 0 up to 1
 */
export function retryDelayMs(made: number, random: number): number | null {
  const delay = WEBHOOK_SCHEDULE_MS[made];
  if (delay === undefined) return null;
  return Math.round(delay * (1 + JITTER * (2 * random - 1)));
}

/**
 * The delay between a failed attempt of a delivery and the next attempt: the delay in `WEBHOOK_SCHEDULE_MS` of the API contract, with
 * jitter, or a longer one that the receiver requested.
 */
import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';

/** The largest deviation from a delay, as a share of it. Jitter spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.1;
const LONGEST_DELAY_MS = Math.max(...WEBHOOK_SCHEDULE_MS);

/**
 * Returns the delay before the next attempt of a delivery, in milliseconds; null if the round of attempts is over. A delay that the receiver
 * requested can make it longer, up to the longest delay of the schedule; jitter never makes it shorter than requested.
 *
 * @param made the number of attempts that were made in the round, at least 1
 * @param random a random number from 0 up to 1; null for a delay without jitter
 * @param requestedMs the delay that the receiver requested, in milliseconds; null if it requested none
 */
export function retryDelayMs(made: number, random: number | null, requestedMs: number | null): number | null {
  const delay = WEBHOOK_SCHEDULE_MS[made];
  if (delay === undefined) return null;
  const scheduled = delay * (1 + JITTER * (2 * (random ?? 0.5) - 1));
  const requested = Math.min(requestedMs ?? 0, LONGEST_DELAY_MS) * (1 + JITTER * (random ?? 0));
  return Math.round(Math.max(scheduled, requested));
}

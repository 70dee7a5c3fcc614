/**
 * Limits the requests per person and minute. One page calls several services, and the slider of a claim requests the page for each cutoff.
 * Without the limit, a script in one sign-in session could slow down the API.
 */
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const MAX_PERSONS = 10_000;
const LIMIT_PER_MINUTE = 600;

export class PersonRateLimiter {
  /** The number of requests in the current minute, by person. */
  private readonly counts = new LRUCache<string, { readonly minute: number; used: number }>({
    max: MAX_PERSONS,
  });

  constructor(private readonly limitPerMinute = LIMIT_PER_MINUTE) {}

  /** Counts a request. Returns null, or the seconds after which the person can send the next one. */
  count(person: string, nowMs = Date.now()): number | null {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = this.counts.get(person);
    const count = known?.minute === minute ? known : { minute, used: 0 };
    if (count !== known) this.counts.set(person, count);
    count.used += 1;
    return count.used <= this.limitPerMinute ? null : Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1000);
  }
}

/**
 * Limits how often something happens per key, such as a person or a network, and minute of the clock. The memory is bounded: the count of
 * the least recently used key is deleted first.
 */
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

export class MinuteLimiter {
  /** The number of uses in the current minute, by key. */
  private readonly counts = new LRUCache<string, { readonly minute: number; used: number }>({
    max: MAX_KEYS,
  });

  constructor(private readonly limitPerMinute: number) {}

  /** Counts a use. Returns null, or if the limit is exceeded the seconds until the next minute. */
  count(key: string, nowMs = Date.now()): number | null {
    const count = this.countOf(key, nowMs);
    count.used += 1;
    return count.used <= this.limitPerMinute ? null : secondsUntilNextMinute(nowMs);
  }

  /** Returns null, or if the limit is reached the seconds until the next minute. Counts nothing. */
  check(key: string, nowMs = Date.now()): number | null {
    return this.countOf(key, nowMs).used < this.limitPerMinute ? null : secondsUntilNextMinute(nowMs);
  }

  private countOf(key: string, nowMs: number) {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = this.counts.get(key);
    if (known?.minute === minute) return known;
    const count = { minute, used: 0 };
    this.counts.set(key, count);
    return count;
  }
}

function secondsUntilNextMinute(nowMs: number): number {
  return Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1000);
}

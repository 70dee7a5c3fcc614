/**
 * The credentials whose projects have used up the requests of this minute. Their requests get 429 without a query: the verdict is kept for a
 * second, and never beyond the minute. So a higher limit takes effect within a second, and a request that would be admitted in the next
 * minute is never rejected. A key that is revoked meanwhile gets 429 until then, and 401 after that.
 *
 * The memory is bounded: above {@link MAX_ENTRIES} the least recently used verdict is deleted, and its credential is looked up again.
 */
import { LRUCache } from 'lru-cache';
import type { Admission } from './store/admissions';

const MAX_ENTRIES = 20_000;
const KEPT_MS = 1_000;
const MINUTE_MS = 60_000;

interface Verdict {
  readonly admission: Admission;
  /** When the query started, in milliseconds of `performance.now()`: not after the database counted the request. */
  readonly startedMs: number;
}

export class ExhaustedCredentials {
  private readonly verdicts = new LRUCache<string, Verdict>({ max: MAX_ENTRIES });

  /** Keeps the result of a query for a credential (its hash in hex) if the project is over its limit. */
  keep(credential: string, admission: Admission, startedMs: number): void {
    if (admission.used > admission.rateLimit) this.verdicts.set(credential, { admission, startedMs });
  }

  /** Returns the kept result, as if the request were counted now; undefined if the credential must be looked up. */
  find(credential: string): Admission | undefined {
    const verdict = this.verdicts.get(credential);
    if (verdict === undefined) return undefined;
    const { admission, startedMs } = verdict;
    const ageMs = performance.now() - startedMs;
    const countedMs = admission.countedAt.getTime();
    const isSameMinute = Math.floor(countedMs / MINUTE_MS) === Math.floor((countedMs + ageMs) / MINUTE_MS);
    if (ageMs < KEPT_MS && isSameMinute) return { ...admission, countedAt: new Date(countedMs + ageMs) };
    this.verdicts.delete(credential);
    return undefined;
  }
}

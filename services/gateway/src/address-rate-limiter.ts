/**
 * Limits the requests without a valid credential per client address and minute. A credential that was recently valid is not limited, so a
 * client is not affected by another client behind the same address. If an address is at its limit and this process has not seen the
 * credential, `admission.ts` looks up the credential before it rejects the request.
 *
 * The memory is bounded: above {@link MAX_ENTRIES} the least recently valid credential is deleted, and a new address is not counted until
 * the next minute.
 */
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
/** Maximum number of entries in memory, for each of: addresses, recently valid credentials, unknown credentials. */
const MAX_ENTRIES = 20_000;

export class AddressRateLimiter {
  private failures = new Map<string, number>();
  /**
   * Hashes of the credentials that were presented in this minute and were not valid. While their address is at its limit, they are rejected
   * without another query.
   */
  private unknownCredentials = new Set<string>();
  private minute = 0;
  private readonly validCredentials = new LRUCache<string, true>({ max: MAX_ENTRIES });

  /**
   * Creates a limiter.
   *
   * @param limitPerMinute maximum number of requests without a valid credential per address and minute; further ones get 429
   */
  constructor(readonly limitPerMinute: number) {}

  /** Returns whether the address is at its limit and the credential (its hash in hex, or null) was not recently valid. */
  isLimited(address: string, credential: string | null, nowMs: number): boolean {
    if (credential !== null && this.validCredentials.has(credential)) return false;
    return (this.failuresOfMinute(nowMs).get(address) ?? 0) >= this.limitPerMinute;
  }

  /** Returns whether the credential was looked up in this minute and was not valid. */
  isUnknown(credential: string, nowMs: number): boolean {
    this.failuresOfMinute(nowMs);
    return this.unknownCredentials.has(credential);
  }

  /** Counts a request without a valid credential from the address. */
  recordFailure(address: string, credential: string | null, nowMs: number): void {
    const failures = this.failuresOfMinute(nowMs);
    if (credential !== null && this.unknownCredentials.size < MAX_ENTRIES)
      this.unknownCredentials.add(credential);
    if (failures.size < MAX_ENTRIES || failures.has(address)) {
      failures.set(address, (failures.get(address) ?? 0) + 1);
    }
    if (credential !== null) this.validCredentials.delete(credential);
  }

  /** Stores a credential as recently valid. */
  recordSuccess(credential: string): void {
    this.validCredentials.set(credential, true);
  }

  /** Returns the whole seconds until the counts start again. */
  static secondsUntilReset(nowMs: number): number {
    return Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1000);
  }

  private failuresOfMinute(nowMs: number): Map<string, number> {
    const minute = Math.floor(nowMs / MINUTE_MS);
    // A request of the minute before, whose credential took until now to be looked up, counts in this minute. An earlier minute means that
    // the clock was set back.
    if (minute > this.minute || minute < this.minute - 1) {
      this.minute = minute;
      this.failures = new Map();
      this.unknownCredentials = new Set();
    }
    return this.failures;
  }
}

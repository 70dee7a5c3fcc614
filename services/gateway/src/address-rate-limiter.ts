/**
 * Limits the requests without a valid credential, per address and minute. A credential that was valid lately is let through to
 * the real check, so that a client doesn't suffer from another one behind the same address; one that this process has not seen
 * valid is looked up first (see `admission.ts`).
 *
 * It holds a bounded number of addresses and credentials, so a flood from everywhere costs no memory: beyond that number the
 * oldest credential is dropped and a new address goes uncounted for the rest of its minute.
 */

const MINUTE_MS = 60_000;
const REMEMBERED = 20_000;

export class AddressRateLimiter {
  private failures = new Map<string, number>();
  /** Credentials of this minute that do not exist: their repetition is not looked up again. */
  private unknown = new Set<string>();
  private minute = 0;
  private readonly good = new Set<string>();

  /** @param limitPerMinute failed attempts of one address before its further ones are refused unseen */
  constructor(readonly limitPerMinute: number) {}

  /** Whether the address has used up its failures and the credential (its hash in hex, or null) was not valid lately. */
  rejects(address: string, credential: string | null, nowMs: number): boolean {
    if (credential !== null && this.good.has(credential)) return false;
    return (this.ofMinute(nowMs).get(address) ?? 0) >= this.limitPerMinute;
  }

  /** Whether the credential failed in this minute. */
  isUnknown(credential: string, nowMs: number): boolean {
    this.ofMinute(nowMs);
    return this.unknown.has(credential);
  }

  /** Counts a failed attempt. */
  failed(address: string, credential: string | null, nowMs: number): void {
    const failures = this.ofMinute(nowMs);
    if (credential !== null && this.unknown.size < REMEMBERED) this.unknown.add(credential);
    if (failures.size < REMEMBERED || failures.has(address)) {
      failures.set(address, (failures.get(address) ?? 0) + 1);
    }
    if (credential !== null) this.good.delete(credential);
  }

  /** Remembers a credential that passed. */
  passed(credential: string): void {
    if (this.good.has(credential)) return;
    this.good.add(credential);
    if (this.good.size > REMEMBERED) {
      const [oldest] = this.good;
      if (oldest !== undefined) this.good.delete(oldest);
    }
  }

  /** Whole seconds until the address may fail again. */
  static secondsLeft(nowMs: number): number {
    return Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1000);
  }

  private ofMinute(nowMs: number): Map<string, number> {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.failures = new Map();
      this.unknown = new Set();
    }
    return this.failures;
  }
}

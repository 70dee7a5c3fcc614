/**
 * Finds clocks that differ, by the ages of signed contexts: an issuer's clock is ahead if its contexts come from the future, and behind if
 * even the youngest of a minute is too old.
 */
import type { Issuer } from '@carecover/config';
import type { Log } from '@carecover/telemetry';

const MINUTE_MS = 60_000;
/** A smaller difference in milliseconds is not logged. */
const TOLERANCE_MS = 2_000;

export class IssuerClocks {
  /** The smallest age in milliseconds in the current minute, by issuer. */
  private readonly youngest = new Map<Issuer, { readonly minute: number; ageMs: number }>();

  /** @param reusedMs for how many milliseconds an issuer sends the same context, so that the age of a punctual one can be this long */
  constructor(
    private readonly log: Log,
    private readonly reusedMs: number,
  ) {}

  /**
   * Records the age of a context whose signature is valid, when it arrives for the first time. At the first context of the next minute, a
   * difference of the clocks is logged.
   */
  observe(issuer: Issuer, ageMs: number, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = this.youngest.get(issuer);
    if (known?.minute === minute) {
      known.ageMs = Math.min(known.ageMs, ageMs);
      return;
    }
    this.youngest.set(issuer, { minute, ageMs });
    if (known !== undefined) this.report(issuer, known.ageMs);
  }

  private report(issuer: Issuer, ageMs: number): void {
    const aheadMs = -ageMs;
    const behindMs = ageMs - this.reusedMs;
    if (Math.max(aheadMs, behindMs) <= TOLERANCE_MS) return;
    const [ms, direction] = aheadMs > 0 ? [aheadMs, 'ahead of'] : [behindMs, 'behind'];
    const seconds = Math.round(ms / 100) / 10;
    this.log.warn(
      { issuer, seconds },
      `the clock of ${issuer} is at least ${seconds} s ${direction} the clock of this process: synchronize the clocks`,
    );
  }
}

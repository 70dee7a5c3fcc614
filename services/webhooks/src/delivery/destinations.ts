/**
 * Slots for attempts in flight per destination (host and port of the URL), shared by all endpoints of all projects of this
 * process, tests of endpoints included. An attempt that finds none free waits, and projects are served in turn. Other destinations are unaffected.
 *
 * By host and not by IP address: behind one address of a hosting provider stand many unrelated receivers (decision record 0017).
 */
import { ApiError, FairSemaphore } from '@carecover/platform';

/** Attempts in flight per destination and process. */
export const ATTEMPTS_PER_DESTINATION = 16;
const WAIT_MS = 10_000;
const RETRY_AFTER_S = 5;

/** The destination of a URL: the host in its canonical form, and the port. All spellings of one have the same result. */
export function destinationOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

export class Destinations {
  private readonly slots = new Map<string, FairSemaphore>();

  constructor(private readonly limit = ATTEMPTS_PER_DESTINATION) {}

  /** Takes a slot if one is free now. Each slot taken is given back with {@link give}. */
  tryAcquire(destination: string): boolean {
    return this.slotsOf(destination).tryAcquire();
  }

  /**
   * Waits for a slot in the project's line.
   * @throws ApiError service_unavailable where none became free within `waitMs`
   */
  take(destination: string, project: string, waitMs = WAIT_MS): Promise<void> {
    return this.slotsOf(destination).acquire(project, waitMs);
  }

  give(destination: string): void {
    const slots = this.slotsOf(destination);
    slots.release();
    if (slots.isIdle) this.slots.delete(destination);
  }

  private slotsOf(destination: string): FairSemaphore {
    let slots = this.slots.get(destination);
    if (slots === undefined) {
      slots = new FairSemaphore({
        permits: this.limit,
        // One waiting request per endpoint or test; both are bounded elsewhere.
        maxWaiting: Number.POSITIVE_INFINITY,
        maxWaitingPerQueue: Number.POSITIVE_INFINITY,
        waitMs: WAIT_MS,
        rejection: () =>
          new ApiError(
            'service_unavailable',
            `${this.limit} attempts to ${destination} are in flight; repeat the request when some have ended.`,
            RETRY_AFTER_S,
          ),
      });
      this.slots.set(destination, slots);
    }
    return slots;
  }
}

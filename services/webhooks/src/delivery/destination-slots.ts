/**
 * Limits the concurrent attempts of this process per destination (host and port of the URL), over all endpoints of all projects and
 * including test events. An attempt that gets no slot waits; waiting projects are served in turn. Other destinations are not affected.
 *
 * The limit is per host and not per IP address, because many unrelated receivers can share the address of a hosting provider
 * (docs/decisions/0017-webhook-destinations.md).
 */
import { ApiError, FairSemaphore } from '@carecover/platform';

/** Maximum number of concurrent attempts per destination and process. */
export const ATTEMPTS_PER_DESTINATION = 16;
const WAIT_MS = 10_000;
const RETRY_AFTER_S = 5;

export class DestinationSlots {
  private readonly semaphores = new Map<string, FairSemaphore>();

  constructor(private readonly limit = ATTEMPTS_PER_DESTINATION) {}

  /** Takes a slot of a destination if one is free. Returns whether it did. Every slot must be released with {@link release}. */
  tryAcquire(destination: string): boolean {
    return this.semaphoreOf(destination).tryAcquire();
  }

  /**
   * Takes a slot of a destination, and waits for it in the queue of the project.
   *
   * @throws ApiError service_unavailable if no slot became free within `waitMs`
   */
  acquire(destination: string, project: string, waitMs = WAIT_MS): Promise<void> {
    return this.semaphoreOf(destination).acquire(project, waitMs);
  }

  /** Releases a slot. */
  release(destination: string): void {
    const semaphore = this.semaphoreOf(destination);
    semaphore.release();
    if (semaphore.isIdle) this.semaphores.delete(destination);
  }

  private semaphoreOf(destination: string): FairSemaphore {
    let semaphore = this.semaphores.get(destination);
    if (semaphore === undefined) {
      semaphore = new FairSemaphore({
        permits: this.limit,
        // Unlimited here: at most one attempt per endpoint and one per test event waits, and both numbers are limited by their callers.
        maxWaiting: Number.POSITIVE_INFINITY,
        maxWaitingPerQueue: Number.POSITIVE_INFINITY,
        waitMs: WAIT_MS,
        rejection: () =>
          new ApiError(
            'service_unavailable',
            `${this.limit} concurrent attempts to ${destination} are in progress. Repeat the request later.`,
            RETRY_AFTER_S,
          ),
      });
      this.semaphores.set(destination, semaphore);
    }
    return semaphore;
  }
}

/**
 * Limits the concurrent attempts of this process per destination (host and port of the URL), over all endpoints of all projects and
 * including test events. An attempt that gets no slot waits; waiting projects are served in turn. Other destinations are not affected.
 *
 * The limit is per host and not per IP address, because many unrelated receivers can share the address of a hosting provider
 * (docs/decisions/0017-webhook-destinations.md).
 */
import { ApiError } from '@carecover/domain';
import { FairSemaphores } from '@carecover/process';

/** Maximum number of concurrent attempts per destination and process. */
export const ATTEMPTS_PER_DESTINATION = 16;
const WAIT_MS = 10_000;
const RETRY_AFTER_S = 5;

export class DestinationSlots extends FairSemaphores {
  constructor(limit = ATTEMPTS_PER_DESTINATION) {
    super((destination) => ({
      permits: limit,
      // The number of waiting attempts has no limit here: at most one attempt per endpoint and one per test event waits, and the callers of
      // this class limit endpoints and test events.
      maxWaiting: Number.POSITIVE_INFINITY,
      maxWaitingPerQueue: Number.POSITIVE_INFINITY,
      waitMs: WAIT_MS,
      rejection: () =>
        new ApiError(
          'service_unavailable',
          `${limit} concurrent attempts to ${destination} are in progress. Repeat the request later.`,
          RETRY_AFTER_S,
        ),
    }));
  }
}

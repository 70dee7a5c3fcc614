/** Requests that can be executed in a few seconds: the service rejects them, and the gateway waits and sends them again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, unavailable } from '@carecover/domain';

/** The header in which a service says how many milliseconds the gateway must wait. The gateway does not send it to clients. */
export const WAIT_HEADER = 'x-carecover-wait-ms';

/** The longest time in milliseconds for which a request is repeated: longer than any service asks for. */
const MAX_WAIT_MS = 6_000;

/**
 * Thrown for a request that can be executed after a wait. While the gateway waits, the request uses no permit of the gateway, and neither a
 * connection nor memory of the service. A caller that does not wait gets 503 with Retry-After.
 *
 * @example throw new TooEarly(1_500);
 */
export class TooEarly extends ApiError {
  constructor(readonly waitMs: number) {
    super(
      'service_unavailable',
      'The time of this request has not come yet: retry the request.',
      Math.max(1, Math.ceil(waitMs / 1_000)),
    );
  }
}

/**
 * Runs `work`, and again after each wait that it asks for with {@link TooEarly}.
 *
 * @param wait waits for some milliseconds
 * @throws ApiError service_unavailable if it asks for more than six seconds together, such as while the clock is set back
 * @example await repeatWhenTooEarly(() => valueClaim(sql, tenant, claimId, cutoff))
 */
export async function repeatWhenTooEarly<T>(
  work: () => Promise<T>,
  wait: (ms: number) => Promise<void> = sleep,
): Promise<T> {
  for (let waitedMs = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TooEarly)) throw error;
      waitedMs += error.waitMs;
      if (waitedMs > MAX_WAIT_MS) throw unavailable('The time of this request');
      await wait(error.waitMs);
    }
  }
}

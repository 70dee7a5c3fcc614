/**
 * Limits the concurrent commands of one resource in this process: 8 are executed, 32 wait, and further ones get 503. Too many
 * concurrent Updates of one workflow overload Temporal.
 */
import { unavailable } from './api-error';
import { FairSemaphores } from './fair-semaphore';

const MAX_CONCURRENT = 8;
const MAX_WAITING = 32;
/**
 * The maximum time in milliseconds that a command waits for earlier commands of the same resource. Longer waits have no use, because
 * the gateway has then responded 503 to the client.
 */
const WAIT_MS = 25_000;

export class ResourceGate {
  private readonly semaphores = new FairSemaphores(() => ({
    permits: MAX_CONCURRENT,
    maxWaiting: MAX_WAITING,
    maxWaitingPerQueue: MAX_WAITING,
    waitMs: WAIT_MS,
    rejection: () => unavailable('This resource'),
  }));

  /** Runs a command of the resource. @throws ApiError service_unavailable if too many commands wait or this one waits too long */
  async pass<T>(resourceId: string, work: () => Promise<T>): Promise<T> {
    await this.semaphores.acquire(resourceId, resourceId);
    try {
      return await work();
    } finally {
      this.semaphores.release(resourceId);
    }
  }
}

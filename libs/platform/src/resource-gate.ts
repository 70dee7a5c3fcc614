/**
 * Limits the concurrent commands of one resource in this process: 8 are executed, 32 wait, and further ones get 503. Too many
 * concurrent Updates of one workflow overload Temporal.
 */
import { unavailable } from './api-error';

const MAX_CONCURRENT = 8;
const MAX_WAITING = 32;

interface ResourceQueue {
  inFlight: number;
  readonly waiting: (() => void)[];
}

export class ResourceGate {
  private readonly queues = new Map<string, ResourceQueue>();

  /** Runs a command of the resource. @throws ApiError service_unavailable if too many commands wait */
  async pass<T>(resourceId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(resourceId) ?? { inFlight: 0, waiting: [] };
    this.queues.set(resourceId, queue);
    if (queue.inFlight >= MAX_CONCURRENT) {
      if (queue.waiting.length >= MAX_WAITING) throw unavailable('This resource');
      await new Promise<void>((resolve) => queue.waiting.push(resolve));
    } else {
      queue.inFlight += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else {
        queue.inFlight -= 1;
        if (queue.inFlight === 0) this.queues.delete(resourceId);
      }
    }
  }
}

/**
 * Bounds the commands in flight on one resource in this process: 8 at once, 32 waiting, then 503. An engine that gets more
 * updates for one workflow than it serves at once collapses; a caller who is told to come back does not.
 */
import { unavailable } from './api-error';

const IN_FLIGHT = 8;
const WAITING = 32;

interface ResourceQueue {
  inFlight: number;
  readonly waiting: (() => void)[];
}

export class ResourceGate {
  private readonly queues = new Map<string, ResourceQueue>();

  /** Runs `work` as one of the resource's commands. @throws ApiError service_unavailable where too many wait */
  async pass<T>(resourceId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(resourceId) ?? { inFlight: 0, waiting: [] };
    this.queues.set(resourceId, queue);
    if (queue.inFlight >= IN_FLIGHT) {
      if (queue.waiting.length >= WAITING) throw unavailable('This resource');
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

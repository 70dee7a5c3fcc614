/**
 * Bounds the commands in flight on one resource in this process: 8 at once, 32 waiting, then 503. An engine that gets more
 * updates for one workflow than it serves at once collapses; a caller who is told to come back does not.
 */
import { unavailable } from './api-error';

const IN_FLIGHT = 8;
const WAITING = 32;

interface EndpointQueue {
  inFlight: number;
  readonly waiting: (() => void)[];
}

export class ResourceGate {
  private readonly lanes = new Map<string, EndpointQueue>();

  /** Runs `work` as one of the resource's commands. @throws ApiError service_unavailable where too many wait */
  async pass<T>(resourceId: string, work: () => Promise<T>): Promise<T> {
    const lane = this.lanes.get(resourceId) ?? { inFlight: 0, waiting: [] };
    this.lanes.set(resourceId, lane);
    if (lane.inFlight >= IN_FLIGHT) {
      if (lane.waiting.length >= WAITING) throw unavailable('This resource');
      await new Promise<void>((resolve) => lane.waiting.push(resolve));
    } else {
      lane.inFlight += 1;
    }
    try {
      return await work();
    } finally {
      const next = lane.waiting.shift();
      if (next !== undefined) next();
      else {
        lane.inFlight -= 1;
        if (lane.inFlight === 0) this.lanes.delete(resourceId);
      }
    }
  }
}

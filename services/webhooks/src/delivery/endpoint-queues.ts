/**
 * The per-endpoint queues of this process: a limited number of attempts in progress, and waiting deliveries. Deliveries are leased in
 * advance, as many as the endpoint will accept soon, so that a slot that becomes free can be used without a query. A delivery that waits
 * too long is released, because the endpoint can change meanwhile and another process can be faster.
 *
 * The queues do no I/O. Times are arguments, in milliseconds of a monotonic clock.
 */

import type { Outcome } from '../rules/attempt-outcome';
import { type Capacity, type DueDelivery, LEASE_MS, type UsedCapacity } from '../store/due-deliveries';

export interface EndpointQueueLimits {
  /** Maximum number of deliveries in memory: waiting, in progress, or attempted and not yet recorded. */
  readonly total: number;
  /** Maximum number of concurrent attempts of one endpoint; `perFailingEndpoint` applies if its latest attempts all failed. */
  readonly perEndpoint: number;
  readonly perFailingEndpoint: number;
  /** Maximum number of concurrent attempts to one destination, which its slow endpoints share; see {@link EndpointQueues}. */
  readonly perDestination: number;
}

/** Deliveries of an endpoint are leased in advance for this time in milliseconds, at the pace of its last attempt. */
const READ_AHEAD_MS = 500;
/** How many deliveries of an endpoint are leased in advance at most. */
export const MAX_READ_AHEAD = 200;
/** An endpoint is slow if its last attempt took longer, in milliseconds, or failed, or if it has made no attempt yet. */
const SLOW_RESPONSE_MS = 1_000;
/** Maximum time in milliseconds that a delivery waits in a queue; after this time it is released. */
const MAX_WAIT_MS = 1_000;
/**
 * Maximum age in milliseconds of a lease whose attempt starts. The attempt takes at most half of the lease; the rest is for the record of
 * its outcome. A delivery waits longer only if the process was suspended or the database was slow.
 */
const MAX_AGE_AT_START_MS = LEASE_MS / 3;

export interface LeasedDelivery extends DueDelivery {
  /** Every valid signing secret of the endpoint, the newest first. */
  readonly secrets: readonly string[];
  /** A time before the delivery was leased, in milliseconds of the monotonic clock: when the query was sent. */
  readonly sinceMs: number;
}

interface EndpointQueue {
  /** The destination of the endpoint's delivery that was added last. */
  readonly destination: string;
  readonly waiting: LeasedDelivery[];
  readonly inFlight: number;
  readonly isFailing: boolean;
  readonly isSlow: boolean;
  /** How many deliveries are leased in advance and wait. */
  readAhead: number;
  /** Whether the database can have further due deliveries of the endpoint. */
  hasMore: boolean;
}

/**
 * Returns the number of used slots of an endpoint, less the number of deliveries that are leased in advance; the result can be
 * negative.
 */
function usedSlots({ inFlight, waiting, readAhead }: EndpointQueue): number {
  return inFlight + waiting.length - readAhead;
}

/** The slow endpoints of a destination. */
interface SlowEndpoints {
  readonly count: number;
  readonly inFlight: number;
}

/**
 * The queues of all endpoints. The slow endpoints of a destination share half of its slots, so an endpoint that never responds does not
 * hold all slots of a host that other receivers use too. But each endpoint can make one attempt.
 */
export class EndpointQueues {
  private readonly queues = new Map<string, EndpointQueue>();
  private readonly slowByDestination = new Map<string, SlowEndpoints>();
  /** Destinations of which the database can have further due deliveries. */
  private readonly destinationsWithDue = new Set<string>();
  private count = 0;

  constructor(private readonly limits: EndpointQueueLimits) {}

  /** How many more deliveries can be held in memory. */
  get free(): number {
    return this.limits.total - this.count;
  }

  /** Returns how many deliveries can be leased now per endpoint, per destination and in total. */
  capacity(): Capacity {
    const { perEndpoint, perFailingEndpoint, perDestination } = this.limits;
    const usedByEndpoint = new Map<string, UsedCapacity>();
    const usedByDestination = new Map<string, number>();
    const readAheads = new Map<string, number>();
    for (const [id, queue] of this.queues) {
      usedByEndpoint.set(id, { used: usedSlots(queue), limit: this.limitOf(queue) });
      const { destination, inFlight, readAhead } = queue;
      usedByDestination.set(
        destination,
        (usedByDestination.get(destination) ?? 0) + inFlight + this.countStartable(queue),
      );
      readAheads.set(destination, Math.max(readAheads.get(destination) ?? 0, readAhead));
    }
    for (const [destination, readAhead] of readAheads) {
      usedByDestination.set(destination, (usedByDestination.get(destination) ?? 0) - readAhead);
    }
    const free = Math.max(0, this.free);
    return { usedByEndpoint, perEndpoint, perFailingEndpoint, usedByDestination, perDestination, free };
  }

  /** Returns whether a further delivery of an endpoint can be leased now. */
  hasCapacity(endpointId: string): boolean {
    const queue = this.queues.get(endpointId);
    return queue === undefined || usedSlots(queue) < this.limitOf(queue);
  }

  /** Adds a leased delivery to its endpoint's queue. */
  add(delivery: LeasedDelivery): void {
    const queue = this.queueOf(delivery.endpointId);
    this.update(queue, { destination: delivery.destination, isFailing: delivery.failing });
    queue.waiting.push(delivery);
    this.count += 1;
  }

  /** Returns the delivery of an endpoint that waits longest; undefined if none waits or the endpoint has no free slot. */
  next(endpointId: string): LeasedDelivery | undefined {
    const queue = this.queues.get(endpointId);
    return queue !== undefined && queue.inFlight < this.limitOf(queue) ? queue.waiting[0] : undefined;
  }

  /**
   * Moves waiting deliveries of an endpoint into its free slots, and returns these deliveries, which are then in progress.
   *
   * @param takeSlot takes a slot of the destination; returns false if none is free
   */
  start(endpointId: string, takeSlot: (destination: string) => boolean): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    const started: LeasedDelivery[] = [];
    if (queue === undefined) return started;
    for (let next = this.next(endpointId); next !== undefined; next = this.next(endpointId)) {
      if (!takeSlot(next.destination)) break;
      queue.waiting.shift();
      this.update(queue, { inFlight: queue.inFlight + 1 });
      started.push(next);
    }
    return started;
  }

  /**
   * Ends an attempt of an endpoint. If the attempt failed, removes and returns the endpoint's waiting deliveries.
   *
   * @param outcome the outcome of the attempt; null if it was interrupted
   */
  end(endpointId: string, outcome: Pick<Outcome, 'accepted' | 'durationMs'> | null): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    if (queue === undefined) return [];
    const accepted = outcome?.accepted === true;
    const isSlow = !(accepted && outcome.durationMs <= SLOW_RESPONSE_MS);
    queue.readAhead = isSlow ? 0 : this.readAheadAt(outcome.durationMs);
    this.update(queue, { inFlight: queue.inFlight - 1, isSlow });
    const removed = accepted ? [] : queue.waiting.splice(0);
    this.deleteIdle(endpointId, queue);
    return removed;
  }

  /** Subtracts `count` deliveries, which were recorded or released, from the number of deliveries in memory. */
  release(count: number): void {
    this.count -= count;
  }

  /** Sets whether the database can have further due deliveries of an endpoint. */
  setHasMore(endpointId: string, hasMore: boolean): void {
    if (!hasMore && !this.queues.has(endpointId)) return;
    const queue = this.queueOf(endpointId);
    queue.hasMore = hasMore;
    this.deleteIdle(endpointId, queue);
  }

  /** Sets whether the database can have further due deliveries of a destination. */
  setDestinationHasMore(destination: string, hasMore: boolean): void {
    if (hasMore) this.destinationsWithDue.add(destination);
    else this.destinationsWithDue.delete(destination);
  }

  /** Returns the destinations of which the database can have further due deliveries. */
  destinationsWithMore(): string[] {
    return [...this.destinationsWithDue];
  }

  /** Returns whether further due deliveries of a destination should be leased now. */
  needsMoreOfDestination(destination: string): boolean {
    if (!this.destinationsWithDue.has(destination)) return false;
    const queues = [...this.queues.values()].filter((queue) => queue.destination === destination);
    const waiting = queues.reduce((sum, queue) => sum + this.countStartable(queue), 0);
    return waiting <= Math.max(0, ...queues.map(({ readAhead }) => readAhead)) / 2;
  }

  /** Returns whether further due deliveries of an endpoint should be leased now. */
  needsMore(endpointId: string): boolean {
    const queue = this.queues.get(endpointId);
    return queue?.hasMore === true && queue.waiting.length <= queue.readAhead / 2;
  }

  /** Removes and returns the deliveries that have waited too long at `nowMs`; without `nowMs`, all waiting deliveries. */
  removeWaiting(nowMs = Number.POSITIVE_INFINITY): LeasedDelivery[] {
    return [...this.queues].flatMap(([id, queue]) => this.removeOlder(id, queue, nowMs - MAX_WAIT_MS));
  }

  /** Removes and returns the waiting deliveries of an endpoint whose leases are too old at `nowMs` to start an attempt. */
  removeExpiring(endpointId: string, nowMs: number): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    return queue === undefined ? [] : this.removeOlder(endpointId, queue, nowMs - MAX_AGE_AT_START_MS);
  }

  /** Removes and returns the waiting deliveries of one endpoint. */
  removeWaitingOf(endpointId: string): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    if (queue === undefined) return [];
    const removed = queue.waiting.splice(0);
    this.deleteIdle(endpointId, queue);
    return removed;
  }

  /** Removes and returns the waiting deliveries of a queue that were leased before `limitMs`. */
  private removeOlder(endpointId: string, queue: EndpointQueue, limitMs: number): LeasedDelivery[] {
    const firstToKeep = queue.waiting.findIndex(({ sinceMs }) => sinceMs >= limitMs);
    const removed = queue.waiting.splice(0, firstToKeep === -1 ? queue.waiting.length : firstToKeep);
    if (removed.length === 0) return removed;
    queue.readAhead = 0;
    this.deleteIdle(endpointId, queue);
    return removed;
  }

  private queueOf(endpointId: string): EndpointQueue {
    let queue = this.queues.get(endpointId);
    if (queue === undefined) {
      queue = {
        destination: '',
        waiting: [],
        inFlight: 0,
        isFailing: false,
        isSlow: true,
        readAhead: 0,
        hasMore: false,
      };
      this.queues.set(endpointId, queue);
      this.countSlow(queue, 1);
    }
    return queue;
  }

  /** Returns how many attempts an endpoint ends in {@link READ_AHEAD_MS} if each takes as long as its last one, with a limit. */
  private readAheadAt(durationMs: number): number {
    const count = (this.limits.perEndpoint * READ_AHEAD_MS) / Math.max(durationMs, 1);
    return Math.min(MAX_READ_AHEAD, Math.floor(count));
  }

  /** Returns the maximum number of concurrent attempts of an endpoint. */
  private limitOf({ destination, inFlight, isFailing, isSlow }: EndpointQueue): number {
    const { perEndpoint, perFailingEndpoint, perDestination } = this.limits;
    const limit = isFailing ? perFailingEndpoint : perEndpoint;
    const slow = this.slowByDestination.get(destination);
    if (!isSlow || slow === undefined) return limit;
    const forSlow = perDestination / 2;
    const share = Math.floor(forSlow / slow.count);
    const leftByOthers = forSlow - (slow.inFlight - inFlight);
    return Math.min(limit, Math.max(1, Math.min(share, leftByOthers)));
  }

  /**
   * Returns the number of waiting deliveries that use the capacity of the destination. Those of a slow endpoint that is at its limit do not,
   * so they do not delay the deliveries of other endpoints.
   */
  private countStartable(queue: EndpointQueue): number {
    const { inFlight, isSlow, waiting } = queue;
    return isSlow ? Math.min(waiting.length, Math.max(0, this.limitOf(queue) - inFlight)) : waiting.length;
  }

  private update(
    queue: EndpointQueue,
    changes: Partial<Pick<EndpointQueue, 'destination' | 'inFlight' | 'isFailing' | 'isSlow'>>,
  ): void {
    this.countSlow(queue, -1);
    Object.assign(queue, changes);
    this.countSlow(queue, 1);
  }

  /** Adds a queue to the slow endpoints of its destination if it is slow, or removes it from them. */
  private countSlow({ destination, inFlight, isSlow }: EndpointQueue, sign: 1 | -1): void {
    if (!isSlow) return;
    const slow = this.slowByDestination.get(destination) ?? { count: 0, inFlight: 0 };
    const count = slow.count + sign;
    if (count === 0) this.slowByDestination.delete(destination);
    else this.slowByDestination.set(destination, { count, inFlight: slow.inFlight + sign * inFlight });
  }

  private deleteIdle(endpointId: string, queue: EndpointQueue): void {
    if (queue.inFlight > 0 || queue.waiting.length > 0 || queue.hasMore) return;
    this.countSlow(queue, -1);
    this.queues.delete(endpointId);
  }
}

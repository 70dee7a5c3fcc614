/**
 * How many deliveries this process holds and how many attempts it makes at once. One object counts everything: the memory of the process,
 * and the slots of endpoints and destinations. The dispatcher and the tests of endpoints share it. A delivery goes through these states:
 *
 *     in the table ── add ──> waiting ── start ──> in progress ── end ──> unrecorded ── finish ──> in the table
 *                             uses memory          and a slot of its      uses memory
 *                                                  endpoint and one of
 *                                                  its destination
 *
 * The service's README.md has the picture with the limits. Deliveries are leased in advance, as many as the endpoint will accept
 * soon, so that a slot that becomes free can be used without a query. A delivery that waits too long is removed, because the endpoint can
 * change meanwhile and another process can be faster.
 *
 * A destination is a host with a port and not an IP address, because many unrelated receivers can share the address of a hosting provider
 * (docs/decisions/0017-webhook-destinations.md). The object does no I/O. Times are arguments, in milliseconds of a monotonic clock.
 */
import { ApiError } from '@carecover/domain';
import { FairSemaphores } from '@carecover/process';
import type { Outcome } from '../rules/attempt-outcome';
import {
  type Capacity,
  type DueDelivery,
  LEASE_MS,
  type LeasedBatch,
  type LeaseTarget,
  type UsedCapacity,
} from '../store/due-deliveries';

export interface CapacityLimits {
  /** Maximum number of deliveries in memory: waiting, in progress, or attempted and not yet recorded. */
  readonly inMemory: number;
  /** Maximum number of concurrent attempts of one endpoint; `perFailingEndpoint` applies if its latest attempts all failed. */
  readonly perEndpoint: number;
  readonly perFailingEndpoint: number;
  /**
   * Maximum number of concurrent attempts to one destination, tests of endpoints included. Its slow endpoints share half of them, so an
   * endpoint that never responds does not hold all slots of a host that other receivers use too. But each endpoint can make one attempt.
   */
  readonly perDestination: number;
}

export const CAPACITY_LIMITS: CapacityLimits = {
  inMemory: 2_000,
  perEndpoint: 10,
  perFailingEndpoint: 2,
  perDestination: 16,
};

/** How long a delivery or a test waits for a slot of its destination, in milliseconds. A delivery then waits again. */
const SLOT_WAIT_MS = 10_000;
const RETRY_AFTER_S = 5;
/** Deliveries of an endpoint are leased in advance for this time in milliseconds, at the pace of its last attempt. */
const READ_AHEAD_MS = 500;
/** How many deliveries of an endpoint are leased in advance at most. */
export const MAX_READ_AHEAD = 200;
/** An endpoint is slow if its last attempt took longer, in milliseconds, or failed, or if it has made no attempt yet. */
const SLOW_RESPONSE_MS = 1_000;
/** Maximum time in milliseconds that a delivery waits in a queue; after this time it is removed. */
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

/** What the caller must do after a change of the capacity: make the attempts of some deliveries, and release the leases of others. */
export interface CapacityChange {
  readonly started: readonly LeasedDelivery[];
  readonly removed: readonly LeasedDelivery[];
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

/** The slow endpoints of a destination. */
interface SlowEndpoints {
  readonly count: number;
  readonly inFlight: number;
}

/** Makes the slots of destinations. Projects that wait for a slot of the same destination are served in turn. */
function slotsOfDestinations(limit: number): FairSemaphores {
  return new FairSemaphores((destination) => ({
    permits: limit,
    // The number of waiting attempts has no limit here: at most one attempt per endpoint and one per test event waits.
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerQueue: Number.POSITIVE_INFINITY,
    waitMs: SLOT_WAIT_MS,
    rejection: () =>
      new ApiError(
        'service_unavailable',
        `${limit} concurrent attempts to ${destination} are in progress. Repeat the request later.`,
        RETRY_AFTER_S,
      ),
  }));
}

export class DeliveryCapacity {
  private readonly queues = new Map<string, EndpointQueue>();
  private readonly slowByDestination = new Map<string, SlowEndpoints>();
  /** Destinations of which the database can have further due deliveries. */
  private readonly destinationsWithMore = new Set<string>();
  /** The endpoints and the destinations whose due deliveries the next query leases. */
  private dueEndpoints = new Set<string>();
  private dueDestinations = new Set<string>();
  /** IDs of endpoints that wait for a slot of their destination. */
  private readonly awaitingSlot = new Set<string>();
  /** The keys ({@link keyOf}) of the deliveries whose attempts are in progress or not recorded yet. */
  private readonly unrecorded = new Set<string>();
  private inMemory = 0;
  /** Whether the last query left no memory, so that the database can have further due deliveries. */
  private isFull = false;

  constructor(
    private readonly limits = CAPACITY_LIMITS,
    private readonly slots = slotsOfDestinations(limits.perDestination),
  ) {}

  /**
   * Takes a slot of a destination for the test of an endpoint, or waits for one in the queue of its project.
   *
   * @throws ApiError service_unavailable if no slot becomes free in time
   */
  acquireSlot(destination: string, projectId: string, waitMs?: number): Promise<void> {
    return this.slots.acquire(destination, projectId, waitMs);
  }

  /** Releases a slot that {@link acquireSlot} took. */
  releaseSlot(destination: string): void {
    this.slots.release(destination);
  }

  /** Whether a query for due deliveries should start now; {@link takeDue} returns its target. */
  get hasDue(): boolean {
    return this.dueEndpoints.size > 0 || this.dueDestinations.size > 0;
  }

  /** Notes that endpoints have due deliveries in the database. They are leased as soon as the endpoints have capacity. */
  signalDue(endpointIds: Iterable<string>): void {
    for (const id of endpointIds) {
      if (this.hasCapacity(id)) this.dueEndpoints.add(id);
      // The delivery is leased when an attempt in progress of the endpoint has ended.
      else this.setHasMore(id, true);
    }
  }

  /** Removes and returns the endpoints and destinations whose due deliveries are to be leased. */
  takeDue(): LeaseTarget {
    const target = { endpointIds: [...this.dueEndpoints], destinations: [...this.dueDestinations] };
    this.dueEndpoints = new Set();
    this.dueDestinations = new Set();
    return target;
  }

  /** Keeps the target of a query for the next one, because the database can have further due deliveries of it. */
  keepDue(target: LeaseTarget | null): void {
    for (const id of target?.endpointIds ?? []) this.dueEndpoints.add(id);
    for (const destination of target?.destinations ?? []) this.dueDestinations.add(destination);
  }

  /** As {@link keepDue}, for a query that found no memory or used all of it. {@link free} then returns true. */
  keepUntilFree(target: LeaseTarget | null): void {
    this.isFull = true;
    this.keepDue(target);
  }

  /** Returns how many deliveries can be leased now per endpoint, per destination and in total. */
  leasable(): Capacity {
    const { inMemory, perEndpoint, perFailingEndpoint, perDestination } = this.limits;
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
    const free = Math.max(0, inMemory - this.inMemory);
    return { usedByEndpoint, perEndpoint, perFailingEndpoint, usedByDestination, perDestination, free };
  }

  /** Adds a leased delivery to its endpoint's queue. Ignores one whose attempt this process has not recorded yet: its lease has expired. */
  add(delivery: LeasedDelivery): void {
    if (this.unrecorded.has(keyOf(delivery))) return;
    const queue = this.queueOf(delivery.endpointId);
    this.update(queue, { destination: delivery.destination, isFailing: delivery.failing });
    queue.waiting.push(delivery);
    this.inMemory += 1;
  }

  /**
   * Notes after a query whether the database can have further due deliveries of the endpoints and destinations, and which of them are leased
   * next.
   *
   * @param target the endpoints and destinations of the query; null for all
   * @param before the capacity with which the query was sent
   * @param batch what it leased
   * @returns whether a query should start now because the attempts of an endpoint have ended meanwhile
   */
  noteLeased(target: LeaseTarget | null, before: Capacity, batch: LeasedBatch): boolean {
    const { deliveries, fullEndpoints, fullDestinations } = batch;
    const queried = new Set([
      ...(target?.endpointIds ?? deliveries.map(({ endpointId }) => endpointId)),
      ...fullEndpoints,
    ]);
    for (const id of queried)
      this.setHasMore(id, fullEndpoints.has(id) || isAtLimit(before.usedByEndpoint.get(id)));
    // The next query starts at the end of an attempt. But the attempts can have ended during the query, and the query can have leased only
    // deliveries whose attempts are not recorded yet.
    const needing = [...queried].filter((id) => this.needsMore(id));
    this.signalDue(needing);
    for (const destination of target?.destinations ?? [...this.destinationsWithMore]) {
      this.destinationsWithMore.delete(destination);
    }
    for (const destination of fullDestinations) this.destinationsWithMore.add(destination);
    return needing.length > 0;
  }

  /**
   * Moves waiting deliveries of an endpoint into free slots of the endpoint and of their destination, and removes those whose leases are too
   * old to start an attempt.
   *
   * @param acquired the destination of which {@link awaitSlot} has taken a slot; the slot is released if no delivery uses it
   */
  start(endpointId: string, nowMs: number, acquired: string | null = null): CapacityChange {
    const removed = this.removeOlder(endpointId, nowMs - MAX_AGE_AT_START_MS);
    const started: LeasedDelivery[] = [];
    let slot = acquired;
    for (let next = this.next(endpointId); next !== undefined; next = this.next(endpointId)) {
      const { queue, delivery } = next;
      if (delivery.destination === slot) slot = null;
      else if (!this.slots.tryAcquire(delivery.destination)) break;
      queue.waiting.shift();
      this.update(queue, { inFlight: queue.inFlight + 1 });
      this.unrecorded.add(keyOf(delivery));
      started.push(delivery);
    }
    if (slot !== null) this.slots.release(slot);
    return { started, removed };
  }

  /**
   * Waits for a slot of the destination of an endpoint's next delivery, and takes the slot. The promise is null after {@link SLOT_WAIT_MS}.
   *
   * @returns the destination, for {@link start}; null if no delivery of the endpoint waits for a slot, or a call waits for it already
   */
  awaitSlot(endpointId: string): Promise<string | null> | null {
    const next = this.next(endpointId)?.delivery;
    if (next === undefined || this.awaitingSlot.has(endpointId)) return null;
    this.awaitingSlot.add(endpointId);
    return this.slots
      .acquire(next.destination, next.projectId)
      .then(
        () => next.destination,
        () => null,
      )
      .finally(() => this.awaitingSlot.delete(endpointId));
  }

  /**
   * Ends the attempt of a delivery: frees the slots of its endpoint and destination, and starts waiting deliveries of the endpoint. If the
   * attempt failed, removes these instead. The delivery uses memory until {@link finish}.
   *
   * @param outcome the outcome of the attempt; null if it was interrupted
   */
  end(
    { endpointId, destination }: DueDelivery,
    outcome: Pick<Outcome, 'accepted' | 'durationMs'> | null,
    nowMs: number,
  ): CapacityChange {
    const failed = this.endAttempt(endpointId, outcome);
    this.slots.release(destination);
    const { started, removed } = this.start(endpointId, nowMs);
    if (this.needsMoreOfDestination(destination)) this.dueDestinations.add(destination);
    if (this.needsMore(endpointId)) this.dueEndpoints.add(endpointId);
    return { started, removed: [...failed, ...removed] };
  }

  /** Ends the record of an attempt, or its interruption. Returns what {@link free} returns. */
  finish(delivery: DueDelivery): boolean {
    this.unrecorded.delete(keyOf(delivery));
    return this.free(1);
  }

  /** Subtracts `count` deliveries from those in memory. Returns whether a query waits for memory. */
  free(count: number): boolean {
    this.inMemory -= count;
    const wasFull = this.isFull;
    this.isFull = false;
    return wasFull;
  }

  /** Removes and returns the deliveries that have waited too long at `nowMs`; without `nowMs`, all waiting deliveries. */
  removeWaiting(nowMs = Number.POSITIVE_INFINITY): LeasedDelivery[] {
    return [...this.queues.keys()].flatMap((id) => this.removeOlder(id, nowMs - MAX_WAIT_MS));
  }

  /** Removes and returns the waiting deliveries of one endpoint. */
  removeWaitingOf(endpointId: string): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    if (queue === undefined) return [];
    const removed = queue.waiting.splice(0);
    this.deleteIdle(endpointId, queue);
    return removed;
  }

  /** Returns whether a further delivery of an endpoint can be leased now. */
  private hasCapacity(endpointId: string): boolean {
    const queue = this.queues.get(endpointId);
    return queue === undefined || usedSlots(queue) < this.limitOf(queue);
  }

  /** Returns the delivery of an endpoint that waits longest; undefined if none waits or the endpoint has no free slot. */
  private next(endpointId: string) {
    const queue = this.queues.get(endpointId);
    const delivery = queue?.waiting[0];
    if (queue === undefined || delivery === undefined || queue.inFlight >= this.limitOf(queue)) return;
    return { queue, delivery };
  }

  /** Frees the endpoint's slot. If the attempt failed, removes and returns the endpoint's waiting deliveries. */
  private endAttempt(
    endpointId: string,
    outcome: Pick<Outcome, 'accepted' | 'durationMs'> | null,
  ): LeasedDelivery[] {
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

  /** Sets whether the database can have further due deliveries of an endpoint. */
  private setHasMore(endpointId: string, hasMore: boolean): void {
    if (!hasMore && !this.queues.has(endpointId)) return;
    const queue = this.queueOf(endpointId);
    queue.hasMore = hasMore;
    this.deleteIdle(endpointId, queue);
  }

  /** Returns whether further due deliveries of a destination should be leased now. */
  private needsMoreOfDestination(destination: string): boolean {
    if (!this.destinationsWithMore.has(destination)) return false;
    const queues = [...this.queues.values()].filter((queue) => queue.destination === destination);
    const waiting = queues.reduce((sum, queue) => sum + this.countStartable(queue), 0);
    return waiting <= Math.max(0, ...queues.map(({ readAhead }) => readAhead)) / 2;
  }

  /** Returns whether further due deliveries of an endpoint should be leased now. */
  private needsMore(endpointId: string): boolean {
    const queue = this.queues.get(endpointId);
    return queue?.hasMore === true && queue.waiting.length <= queue.readAhead / 2;
  }

  /** Removes and returns the waiting deliveries of an endpoint that were leased before `limitMs`. */
  private removeOlder(endpointId: string, limitMs: number): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    if (queue === undefined) return [];
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

/**
 * Returns the number of used slots of an endpoint, less the number of deliveries that are leased in advance; the result can be
 * negative.
 */
function usedSlots({ inFlight, waiting, readAhead }: EndpointQueue): number {
  return inFlight + waiting.length - readAhead;
}

function isAtLimit(capacity: UsedCapacity | undefined): boolean {
  return capacity !== undefined && capacity.used >= capacity.limit;
}

/** Returns a key of the next attempt of a delivery: a later attempt or a new round of the same delivery has another key. */
function keyOf({ endpointId, eventId, round, roundAttempts }: DueDelivery): string {
  return `${endpointId} ${eventId} ${round} ${roundAttempts}`;
}

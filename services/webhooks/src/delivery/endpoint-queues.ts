/**
 * What this process holds of each endpoint's deliveries: tries in flight, bounded, and behind them a few taken ahead where
 * the endpoint answers quickly, so that a place that becomes free is filled without asking the database. What has waited
 * too long is to be given back: by then the endpoint may have been changed, and another process may be quicker.
 *
 * Pure: time comes in as an argument, in milliseconds of any one clock.
 */
import type { Capacity, DueDelivery } from '../store/due-deliveries';
import type { Outcome } from './sender';

export interface EndpointQueueLimits {
  /** Deliveries held in all: waiting, in flight, or tried and still to be written down. */
  readonly inAll: number;
  /** Attempts in flight of one endpoint, and of one all of whose latest attempts failed. */
  readonly perEndpoint: number;
  readonly perFailingEndpoint: number;
  /** Attempts in flight of one destination. */
  readonly perDestination: number;
}

/** How many may wait behind those in flight, of an endpoint that answers quickly. */
export const READ_AHEAD = 60;
const QUICK_MS = 100;
/** How long anything may wait here. */
const PATIENCE_MS = 1_000;

export interface LeasedDelivery extends DueDelivery {
  /** Every live signing secret, the newest first. */
  readonly secrets: readonly string[];
  /** When it came to be held. */
  readonly sinceMs: number;
}

interface EndpointQueue {
  /** Of the delivery that came last. */
  destination: string;
  readonly waiting: LeasedDelivery[];
  inFlight: number;
  /** How many may be in flight. */
  places: number;
  quick: boolean;
  /** Whether the database may have more that is due than is held. */
  more: boolean;
}

/** How much of its room the queue uses; below zero where it may be read ahead of its places. */
function taken({ inFlight, waiting, quick }: EndpointQueue): number {
  return inFlight + waiting.length - (quick ? READ_AHEAD : 0);
}

export class EndpointQueues {
  private readonly queues = new Map<string, EndpointQueue>();
  /** Destinations of which the database may have more that is due than is held. */
  private readonly moreOf = new Set<string>();
  private held = 0;

  constructor(private readonly limits: EndpointQueueLimits) {}

  /** How many more may be held. */
  get free(): number {
    return this.limits.inAll - this.held;
  }

  /** What may be taken now: of all that is due, or of what is new, which waits its turn behind what the database has. */
  capacity(of: 'due' | 'new'): Capacity {
    const { perEndpoint, perFailingEndpoint, perDestination } = this.limits;
    const busy = new Map<string, number>();
    const busyDestinations = new Map<string, number>();
    const quick = new Set<string>();
    for (const [id, queue] of this.queues) {
      busy.set(id, queue.more && of === 'new' ? perEndpoint : taken(queue));
      const { destination, inFlight, waiting } = queue;
      busyDestinations.set(destination, (busyDestinations.get(destination) ?? 0) + inFlight + waiting.length);
      if (queue.quick) quick.add(destination);
    }
    for (const destination of quick) {
      busyDestinations.set(destination, (busyDestinations.get(destination) ?? 0) - READ_AHEAD);
    }
    if (of === 'new')
      for (const destination of this.moreOf) busyDestinations.set(destination, perDestination);
    const free = Math.max(0, this.free);
    return { busy, perEndpoint, perFailingEndpoint, busyDestinations, perDestination, free };
  }

  add(delivery: LeasedDelivery): void {
    const queue = this.queue(delivery.endpointId);
    queue.destination = delivery.destination;
    queue.places = delivery.failing ? this.limits.perFailingEndpoint : this.limits.perEndpoint;
    queue.waiting.push(delivery);
    this.held += 1;
  }

  /** The delivery that waits longest, where the endpoint has a place for it: in flight once {@link start} gives it. */
  next(endpointId: string): LeasedDelivery | undefined {
    const queue = this.queues.get(endpointId);
    return queue !== undefined && queue.inFlight < queue.places ? queue.waiting[0] : undefined;
  }

  /**
   * Takes out what the endpoint has places for: each is in flight from now on.
   * @param takeSlot takes a slot of the destination; false where it has none
   */
  start(endpointId: string, takeSlot: (destination: string) => boolean): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    const started: LeasedDelivery[] = [];
    if (queue === undefined) return started;
    for (let next = this.next(endpointId); next !== undefined; next = this.next(endpointId)) {
      if (!takeSlot(next.destination)) break;
      queue.waiting.shift();
      queue.inFlight += 1;
      started.push(next);
    }
    return started;
  }

  /** Frees the place of a try; gives what is no longer to wait here, since the endpoint fails. Null: it broke off. */
  end(endpointId: string, outcome: Pick<Outcome, 'accepted' | 'durationMs'> | null): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    if (queue === undefined) return [];
    queue.inFlight -= 1;
    const accepted = outcome?.accepted === true;
    queue.quick = accepted && outcome.durationMs <= QUICK_MS;
    const rest = accepted ? [] : queue.waiting.splice(0);
    this.deleteIdle(endpointId, queue);
    return rest;
  }

  /** So many are no longer held: written down, or given back. */
  release(count: number): void {
    this.held -= count;
  }

  /** Notes whether the database has more of the endpoint that is due. */
  noteMore(endpointId: string, more: boolean): void {
    if (!more && !this.queues.has(endpointId)) return;
    const queue = this.queue(endpointId);
    queue.more = more;
    this.deleteIdle(endpointId, queue);
  }

  /** Notes whether the database has more of the destination that is due. */
  noteMoreOf(destination: string, more: boolean): void {
    if (more) this.moreOf.add(destination);
    else this.moreOf.delete(destination);
  }

  /** The destinations noted so. */
  destinationsWithMore(): string[] {
    return [...this.moreOf];
  }

  /** Whether it is time to ask the database for what more it has of the destination. */
  wantsMoreOf(destination: string): boolean {
    if (!this.moreOf.has(destination)) return false;
    const queues = [...this.queues.values()].filter((queue) => queue.destination === destination);
    const waiting = queues.reduce((sum, queue) => sum + queue.waiting.length, 0);
    return waiting <= (queues.some(({ quick }) => quick) ? READ_AHEAD / 2 : 0);
  }

  /** Whether it is time to ask the database for what more it has of the endpoint. */
  wantsMore(endpointId: string): boolean {
    const queue = this.queues.get(endpointId);
    return queue?.more === true && queue.waiting.length <= (queue.quick ? READ_AHEAD / 2 : 0);
  }

  /** Takes out what has waited too long; with no time given, all that waits. */
  takeBack(nowMs = Number.POSITIVE_INFINITY): LeasedDelivery[] {
    const back: LeasedDelivery[] = [];
    for (const [id, queue] of this.queues) {
      const fresh = queue.waiting.findIndex(({ sinceMs }) => nowMs - sinceMs <= PATIENCE_MS);
      const late = queue.waiting.splice(0, fresh === -1 ? queue.waiting.length : fresh);
      if (late.length === 0) continue;
      queue.quick = false;
      back.push(...late);
      this.deleteIdle(id, queue);
    }
    return back;
  }

  /** Takes out all that waits for one endpoint. */
  takeBackOf(endpointId: string): LeasedDelivery[] {
    const queue = this.queues.get(endpointId);
    if (queue === undefined) return [];
    const back = queue.waiting.splice(0);
    this.deleteIdle(endpointId, queue);
    return back;
  }

  private queue(endpointId: string): EndpointQueue {
    let queue = this.queues.get(endpointId);
    if (queue === undefined) {
      const { perEndpoint } = this.limits;
      queue = { destination: '', waiting: [], inFlight: 0, places: perEndpoint, quick: false, more: false };
      this.queues.set(endpointId, queue);
    }
    return queue;
  }

  private deleteIdle(endpointId: string, { inFlight, waiting, more }: EndpointQueue): void {
    if (inFlight === 0 && waiting.length === 0 && !more) this.queues.delete(endpointId);
  }
}

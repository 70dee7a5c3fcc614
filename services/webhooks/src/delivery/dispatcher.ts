/**
 * Makes the attempts of due deliveries. The consumer of the stream passes to the dispatcher the endpoints that have new deliveries. The
 * dispatcher leases these deliveries within the capacity of this process; further deliveries wait in the database. A periodic query over
 * all endpoints (tick) finds due retries, and deliveries of other processes whose leases have expired.
 *
 * Concurrent attempts are limited per endpoint (to fewer if the endpoint is failing) and per destination. The number of deliveries in
 * memory is limited too. Failure policy: while the database is unavailable, finished attempts wait to be recorded and nothing is leased.
 * A delivery whose attempt waits to be recorded is not sent again by this process, also if its lease has expired.
 * After a crash the leases expire, and other processes repeat the attempts that were not recorded.
 */
import { WEBHOOK_TIMEOUT_MS } from '@carecover/contract';
import type { Sql } from '@carecover/postgres';
import { WakeUpSignal } from '@carecover/process';
import { type Log, metricsRegistry } from '@carecover/telemetry';
import { Histogram } from 'prom-client';
import { BatchWriter } from '../batch-writer';
import type { Outcome } from '../rules/attempt-outcome';
import { retryDelayMs } from '../rules/retry-schedule';
import type { Keyring } from '../signing/keyring';
import {
  type DueDelivery,
  hasPendingDeliveries,
  type LeaseTarget,
  leaseDueDeliveries,
  releaseLeases,
  type UsedCapacity,
} from '../store/due-deliveries';
import { failEndedDeliveries } from '../store/ended-periods';
import type { FinishedAttempt } from '../store/finished-attempts';
import { DecryptedSecrets } from './decrypted-secrets';
import { ATTEMPTS_PER_DESTINATION, type DestinationSlots } from './destination-slots';
import { type EndpointQueueLimits, EndpointQueues, type LeasedDelivery } from './endpoint-queues';
import { recordAttempts } from './record-attempts';
import type { Sender } from './sender';

export interface DispatcherOptions {
  readonly sql: Sql;
  readonly sender: Sender;
  /** The slots per destination, shared with the tests of endpoints in this process. */
  readonly slots: DestinationSlots;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly limits?: Partial<DispatcherLimits>;
  /** Returns random numbers from 0 up to 1, for the jitter of retries; Math.random by default. */
  readonly random?: () => number;
}

interface DispatcherLimits extends Omit<EndpointQueueLimits, 'perDestination'> {
  /** Milliseconds between two queries over all endpoints, while a delivery is pending. */
  readonly tickMs: number;
  /**
   * Milliseconds between two checks for pending deliveries, while no delivery is pending. If a NOTIFY is lost, a delivery waits at most for
   * this time.
   */
  readonly idleTickMs: number;
  readonly timeoutMs: number;
}

const DEFAULT_LIMITS: DispatcherLimits = {
  total: 2_000,
  perEndpoint: 10,
  perFailingEndpoint: 2,
  tickMs: 1_000,
  idleTickMs: 10_000,
  timeoutMs: WEBHOOK_TIMEOUT_MS,
};
const RECORD_BATCH = 200;
/**
 * Linger time in milliseconds of the batches in which finished attempts are recorded. No client waits for the records, and recording a
 * batch costs little more than recording one attempt.
 */
const RECORD_LINGER_MS = 15;
/** How many milliseconds {@link Dispatcher.stop} waits for attempts in progress. */
const DRAIN_MS = 4_000;

const attemptDuration = new Histogram({
  name: 'carecover_webhook_attempt_duration_seconds',
  help: 'Duration of attempts, by outcome',
  labelNames: ['outcome'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  registers: [metricsRegistry],
});

export class Dispatcher {
  private readonly limits: DispatcherLimits;
  private readonly random: () => number;
  private readonly wakeUpSignal = new WakeUpSignal();
  private readonly recorder: BatchWriter<FinishedAttempt>;
  private readonly secrets: DecryptedSecrets;
  private readonly queues: EndpointQueues;
  /** IDs of endpoints that can have due deliveries in the database; `dueDestinations` has the destinations that can have due deliveries. */
  private dueEndpoints = new Set<string>();
  private dueDestinations = new Set<string>();
  /** IDs of endpoints that wait for a slot of their destination. */
  private readonly awaitingSlot = new Set<string>();
  private readonly attempts = new Set<Promise<void>>();
  /** The keys ({@link keyOf}) of the deliveries whose attempts are in progress or not recorded yet. */
  private readonly unrecorded = new Set<string>();
  /** Whether the last query left no capacity in this process, so that the database can have further due deliveries. */
  private isFull = false;
  /** When the next query over all endpoints is due, by `performance.now()`. */
  private nextTickMs = 0;
  private isStopping = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly options: DispatcherOptions) {
    const { sql, keyring, log } = options;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.random = options.random ?? Math.random;
    this.secrets = new DecryptedSecrets(sql, keyring, log);
    this.queues = new EndpointQueues({ ...this.limits, perDestination: ATTEMPTS_PER_DESTINATION });
    this.recorder = new BatchWriter({
      maxBatch: RECORD_BATCH,
      lingerMs: RECORD_LINGER_MS,
      write: (attempts) => this.record(attempts),
      giveUp: async ({ eventId, endpointId }, error) => {
        log.error({ err: error, event_id: eventId, endpoint_id: endpointId }, 'an attempt was not recorded');
      },
      log,
    });
  }

  start(): void {
    this.loop = this.run();
  }

  /** Signals the dispatcher that the given endpoints have due deliveries. The deliveries are leased as soon as there is capacity. */
  signalDue(endpointIds: Iterable<string>): void {
    for (const id of endpointIds) {
      if (this.queues.hasCapacity(id)) this.dueEndpoints.add(id);
      // The delivery is leased when an attempt in progress of the endpoint has ended.
      else this.queues.setHasMore(id, true);
    }
    if (this.dueEndpoints.size > 0 || this.dueDestinations.size > 0) this.wakeUpSignal.send();
  }

  /**
   * Releases the waiting deliveries of a changed endpoint, and leases them again with the endpoint's current values. First sets a batch of
   * the deliveries that the change ended to failed, because none of the endpoint is leased before; a sweep sets the others.
   */
  async reloadEndpoint(endpointId: string): Promise<void> {
    await this.release(this.queues.removeWaitingOf(endpointId));
    try {
      await failEndedDeliveries(this.options.sql, endpointId);
    } catch (error) {
      this.options.log.warn({ err: error }, 'ended deliveries were not set to failed; a sweep repeats it');
    }
    this.signalDue([endpointId]);
  }

  /**
   * Stops the dispatcher: releases waiting deliveries, waits up to {@link DRAIN_MS} for attempts in progress, and then interrupts those
   * that have not ended.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.wakeUpSignal.send();
    await this.loop;
    await this.release(this.queues.removeWaiting());
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([Promise.all(this.attempts), timeout]);
    clearTimeout(timer);
    await this.options.sender.close();
    await this.recorder.stop();
    await Promise.all(this.attempts);
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const isSignalled = await this.wakeUpSignal.wait(Math.max(0, this.nextTickMs - performance.now()));
      if (this.isStopping) return;
      if (isSignalled && (this.dueEndpoints.size > 0 || this.dueDestinations.size > 0)) {
        const target = { endpointIds: [...this.dueEndpoints], destinations: [...this.dueDestinations] };
        this.dueEndpoints = new Set();
        this.dueDestinations = new Set();
        await this.leaseAndStart(target);
      }
      // The time of the next tick is checked after every wake-up signal too. Otherwise endpoints that are signalled without pause would
      // delay the retries of other endpoints.
      if (performance.now() < this.nextTickMs) continue;
      await this.tick();
    }
  }

  private async tick(): Promise<void> {
    this.nextTickMs = performance.now() + this.limits.idleTickMs;
    await this.release(this.queues.removeWaiting(performance.now()));
    const isPending = await hasPendingDeliveries(this.options.sql).catch(() => true);
    if (!isPending) return;
    this.tickSoon();
    await this.leaseAndStart(null);
  }

  /** Makes the next tick start within `tickMs`, because a pending delivery can become due without a NOTIFY from PostgreSQL. */
  private tickSoon(): void {
    const soonMs = performance.now() + this.limits.tickMs;
    if (this.nextTickMs <= soonMs) return;
    this.nextTickMs = soonMs;
    this.wakeUpSignal.send();
  }

  /** Leases due deliveries of the endpoints in the target, or of all endpoints if the target is null, and starts their attempts. */
  private async leaseAndStart(target: LeaseTarget | null): Promise<void> {
    try {
      await this.leaseWithinCapacity(target);
    } catch (error) {
      this.options.log.warn({ err: error }, 'due deliveries could not be leased; the next query repeats it');
      this.keepForNextQuery(target);
      this.tickSoon();
    }
  }

  private async leaseWithinCapacity(target: LeaseTarget | null): Promise<void> {
    const capacity = this.queues.capacity();
    if (capacity.free === 0) {
      this.awaitCapacity(target);
      return;
    }
    const sinceMs = performance.now();
    const batch = await leaseDueDeliveries(this.options.sql, target, capacity);
    const { deliveries, fullEndpoints, fullDestinations } = batch;
    if (deliveries.length === capacity.free) this.awaitCapacity(target);
    await this.enqueue(deliveries, sinceMs);
    const queried = target?.endpointIds ?? deliveries.map(({ endpointId }) => endpointId);
    for (const id of new Set([...queried, ...fullEndpoints])) {
      const hadNoCapacity = isAtLimit(capacity.usedByEndpoint.get(id));
      this.queues.setHasMore(id, fullEndpoints.has(id) || hadNoCapacity);
      // The next query starts at the end of an attempt. But the attempts can have ended during the query, and the query can have leased
      // only deliveries whose attempts are not recorded yet.
      if (this.queues.needsMore(id)) this.signalDue([id]);
    }
    for (const destination of target?.destinations ?? this.queues.destinationsWithMore()) {
      this.queues.setDestinationHasMore(destination, false);
    }
    for (const destination of fullDestinations) this.queues.setDestinationHasMore(destination, true);
  }

  /**
   * Keeps the endpoints and destinations of the target for the next query, because the database can have further due deliveries of them.
   * That query runs as soon as this process has capacity.
   */
  private awaitCapacity(target: LeaseTarget | null): void {
    this.isFull = true;
    this.keepForNextQuery(target);
  }

  private keepForNextQuery(target: LeaseTarget | null): void {
    for (const id of target?.endpointIds ?? []) this.dueEndpoints.add(id);
    for (const destination of target?.destinations ?? []) this.dueDestinations.add(destination);
  }

  private async enqueue(deliveries: readonly DueDelivery[], sinceMs: number): Promise<void> {
    const decrypted = await this.readSecrets(deliveries);
    for (const delivery of deliveries) {
      // The lease expired before the outcome of the earlier attempt was recorded, such as while the database was unavailable.
      if (this.unrecorded.has(keyOf(delivery))) continue;
      const secrets = delivery.secretIds
        .map((id) => decrypted.get(id))
        .filter((secret) => secret !== undefined);
      this.queues.add({ ...delivery, secrets, sinceMs });
    }
    for (const id of new Set(deliveries.map(({ endpointId }) => endpointId))) this.startAttempts(id);
    if (deliveries.length > 0) this.tickSoon();
  }

  /** Reads the secrets of leased deliveries. If this fails, releases the leases, so that the next query can lease the deliveries. */
  private async readSecrets(deliveries: readonly DueDelivery[]): Promise<ReadonlyMap<number, string>> {
    try {
      return await this.secrets.read(deliveries.flatMap(({ secretIds }) => secretIds));
    } catch (error) {
      await this.endLeases(deliveries);
      throw error;
    }
  }

  /**
   * Starts waiting deliveries of an endpoint while it and its destination have free slots. If deliveries remain, waits for the next free
   * slot of the destination, and then starts a delivery with it.
   */
  private startAttempts(endpointId: string): void {
    const { slots } = this.options;
    this.startWaiting(endpointId, (destination) => slots.tryAcquire(destination));
    const next = this.queues.next(endpointId);
    if (next === undefined || this.awaitingSlot.has(endpointId)) return;
    this.awaitingSlot.add(endpointId);
    void slots
      .acquire(next.destination, next.projectId)
      .then(
        () => this.startWithSlot(endpointId, next.destination),
        () => undefined,
      )
      .finally(() => {
        this.awaitingSlot.delete(endpointId);
        this.startAttempts(endpointId);
      });
  }

  /** Starts one waiting delivery with an acquired slot of its destination. Releases the slot if the delivery was released meanwhile. */
  private startWithSlot(endpointId: string, destination: string): void {
    let isUsed = false;
    this.startWaiting(endpointId, (wanted) => {
      if (isUsed || wanted !== destination) return false;
      isUsed = true;
      return true;
    });
    if (!isUsed) this.options.slots.release(destination);
  }

  /** Starts waiting deliveries of an endpoint for which `takeSlot` takes a slot, and releases those whose leases are too old. */
  private startWaiting(endpointId: string, takeSlot: (destination: string) => boolean): void {
    void this.release(this.queues.removeExpiring(endpointId, performance.now()));
    for (const delivery of this.queues.start(endpointId, takeSlot)) {
      const { eventId } = delivery;
      const key = keyOf(delivery);
      this.unrecorded.add(key);
      const attempt = this.makeAttempt(delivery)
        .catch((error: unknown) => {
          this.options.log.error(
            { err: error, event_id: eventId, endpoint_id: endpointId },
            'an attempt was interrupted',
          );
        })
        .finally(() => {
          this.attempts.delete(attempt);
          this.unrecorded.delete(key);
          this.freeMemory(1);
        });
      this.attempts.add(attempt);
    }
  }

  private async makeAttempt(delivery: LeasedDelivery): Promise<void> {
    const { endpointId, eventId, url, failing, round, roundAttempts, leasedAt, sinceMs } = delivery;
    const startedAt = new Date(leasedAt.getTime() + Math.round(performance.now() - sinceMs));
    const outcome = await this.send(delivery);
    if (outcome === null) return releaseLeases(this.options.sql, [delivery]);
    observeAttempt(outcome);
    await this.recorder.add({
      ...{ endpointId, eventId, url, startedAt, failing, round, roundAttempts },
      outcome,
      retryDelayMs: retryDelayMs(roundAttempts + 1, this.random(), outcome.requestedDelayMs),
    });
  }

  /**
   * Sends the request of an attempt, and then releases the slots of the endpoint and the destination. Returns null if the stop of the process
   * interrupted the request, so that its outcome is unknown.
   */
  private async send(delivery: LeasedDelivery): Promise<Outcome | null> {
    const { endpointId, eventId, destination, url, payload, secrets, traceparent } = delivery;
    let outcome: Outcome | null = null;
    try {
      // Receivers would reject an unsigned event. This attempt has no outcome, so the delivery is attempted again each time its lease
      // expires, until an operator has configured the encryption key again.
      if (secrets.length === 0) throw new Error('no signing secret of the endpoint can be decrypted');
      const outgoingRequest = { url, eventId, payload, secrets, traceparent };
      outcome = await this.options.sender.send(outgoingRequest, this.limits.timeoutMs);
      return outcome;
    } finally {
      const removed = this.queues.end(endpointId, outcome);
      void this.release(removed);
      this.options.slots.release(destination);
      this.startAttempts(endpointId);
      if (this.queues.needsMoreOfDestination(destination)) this.dueDestinations.add(destination);
      if (this.queues.needsMore(endpointId)) this.dueEndpoints.add(endpointId);
      this.signalDue([]);
    }
  }

  private freeMemory(count: number): void {
    this.queues.release(count);
    if (this.isFull) this.wakeUpSignal.send();
    this.isFull = false;
  }

  /** Releases the leases of deliveries that were removed from the queues, and their memory. */
  private async release(deliveries: readonly DueDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.endLeases(deliveries);
    this.freeMemory(deliveries.length);
  }

  /** Releases the leases of deliveries that are not attempted. If this fails, the leases expire. */
  private async endLeases(deliveries: readonly DueDelivery[]): Promise<void> {
    try {
      await releaseLeases(this.options.sql, deliveries);
    } catch (error) {
      this.options.log.warn({ err: error }, 'leases could not be released; they expire');
    }
  }

  private async record(attempts: readonly FinishedAttempt[]): Promise<void> {
    for (const { id, reason } of await recordAttempts(this.options.sql, attempts)) {
      this.options.log.info({ endpoint_id: id, reason }, 'endpoint disabled');
    }
  }
}

function isAtLimit(capacity: UsedCapacity | undefined): boolean {
  return capacity !== undefined && capacity.used >= capacity.limit;
}

/** Returns a key of the next attempt of a delivery: a later attempt or a new round of the same delivery has another key. */
function keyOf({ endpointId, eventId, round, roundAttempts }: DueDelivery): string {
  return `${endpointId} ${eventId} ${round} ${roundAttempts}`;
}

function observeAttempt({ accepted, responseStatus, durationMs }: Outcome): void {
  const outcome = accepted ? 'accepted' : responseStatus === null ? 'no_response' : 'rejected';
  attemptDuration.observe({ outcome }, durationMs / 1_000);
}

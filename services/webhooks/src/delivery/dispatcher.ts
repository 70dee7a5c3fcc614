/**
 * Makes the attempts of due deliveries. The consumer of the stream passes to the dispatcher the endpoints that have new deliveries. The
 * dispatcher leases these deliveries within the capacity of this process ({@link DeliveryCapacity}); further deliveries wait in the
 * database. A periodic query over all endpoints (tick) finds due retries, and deliveries of other processes whose leases have expired.
 *
 * Failure policy: while the database is unavailable, finished attempts wait to be recorded and nothing is leased.
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
} from '../store/due-deliveries';
import { failEndedDeliveries } from '../store/ended-periods';
import type { FinishedAttempt } from '../store/finished-attempts';
import type { CapacityChange, DeliveryCapacity, LeasedDelivery } from './capacity';
import { DecryptedSecrets } from './decrypted-secrets';
import { recordAttempts } from './record-attempts';
import type { Sender } from './sender';

export interface DispatcherOptions {
  readonly sql: Sql;
  readonly sender: Sender;
  /** The capacity of this process, shared with the tests of endpoints. */
  readonly capacity: DeliveryCapacity;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly times?: Partial<DispatcherTimes>;
  /** Returns random numbers from 0 up to 1, for the jitter of retries; Math.random by default. */
  readonly random?: () => number;
}

interface DispatcherTimes {
  /** Milliseconds between two queries over all endpoints, while a delivery is pending. */
  readonly tickMs: number;
  /**
   * Milliseconds between two checks for pending deliveries, while no delivery is pending. If a NOTIFY is lost, a delivery waits at most for
   * this time.
   */
  readonly idleTickMs: number;
  /** Milliseconds after which an attempt without a response ends. */
  readonly timeoutMs: number;
}

const DEFAULT_TIMES: DispatcherTimes = {
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
  private readonly times: DispatcherTimes;
  private readonly capacity: DeliveryCapacity;
  private readonly random: () => number;
  private readonly wakeUpSignal = new WakeUpSignal();
  private readonly recorder: BatchWriter<FinishedAttempt>;
  private readonly secrets: DecryptedSecrets;
  private readonly attempts = new Set<Promise<void>>();
  /** When the next query over all endpoints is due, by `performance.now()`. */
  private nextTickMs = 0;
  private isStopping = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly options: DispatcherOptions) {
    const { sql, keyring, log } = options;
    this.capacity = options.capacity;
    this.times = { ...DEFAULT_TIMES, ...options.times };
    this.random = options.random ?? Math.random;
    this.secrets = new DecryptedSecrets(sql, keyring, log);
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
    this.capacity.signalDue(endpointIds);
    if (this.capacity.hasDue) this.wakeUpSignal.send();
  }

  /**
   * Releases the waiting deliveries of a changed endpoint, and leases them again with the endpoint's current values. First sets a batch of
   * the deliveries that the change ended to failed, because none of the endpoint is leased before; a sweep sets the others.
   */
  async reloadEndpoint(endpointId: string): Promise<void> {
    await this.release(this.capacity.removeWaitingOf(endpointId));
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
    await this.release(this.capacity.removeWaiting());
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
      if (isSignalled && this.capacity.hasDue) await this.leaseAndStart(this.capacity.takeDue());
      // The time of the next tick is checked after every wake-up signal too. Otherwise endpoints that are signalled without pause would
      // delay the retries of other endpoints.
      if (performance.now() < this.nextTickMs) continue;
      await this.tick();
    }
  }

  private async tick(): Promise<void> {
    this.nextTickMs = performance.now() + this.times.idleTickMs;
    await this.release(this.capacity.removeWaiting(performance.now()));
    const isPending = await hasPendingDeliveries(this.options.sql).catch(() => true);
    if (!isPending) return;
    this.tickSoon();
    await this.leaseAndStart(null);
  }

  /** Makes the next tick start within `tickMs`, because a pending delivery can become due without a NOTIFY from PostgreSQL. */
  private tickSoon(): void {
    const soonMs = performance.now() + this.times.tickMs;
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
      this.capacity.keepDue(target);
      this.tickSoon();
    }
  }

  private async leaseWithinCapacity(target: LeaseTarget | null): Promise<void> {
    const leasable = this.capacity.leasable();
    if (leasable.free === 0) {
      this.capacity.keepUntilFree(target);
      return;
    }
    const sinceMs = performance.now();
    const batch = await leaseDueDeliveries(this.options.sql, target, leasable);
    if (batch.deliveries.length === leasable.free) this.capacity.keepUntilFree(target);
    await this.enqueue(batch.deliveries, sinceMs);
    if (this.capacity.noteLeased(target, leasable, batch)) this.signalDue([]);
  }

  private async enqueue(deliveries: readonly DueDelivery[], sinceMs: number): Promise<void> {
    const decrypted = await this.readSecrets(deliveries);
    for (const delivery of deliveries) {
      const secrets = delivery.secretIds
        .map((id) => decrypted.get(id))
        .filter((secret) => secret !== undefined);
      this.capacity.add({ ...delivery, secrets, sinceMs });
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

  private startAttempts(endpointId: string, acquired: string | null = null): void {
    this.apply(endpointId, this.capacity.start(endpointId, performance.now(), acquired));
  }

  /**
   * Makes the attempts of the started deliveries of an endpoint, and releases the removed ones. If deliveries remain, waits for the next free
   * slot of the destination, and then starts deliveries with it.
   */
  private apply(endpointId: string, { started, removed }: CapacityChange): void {
    void this.release(removed);
    for (const delivery of started) this.startAttempt(delivery);
    void this.capacity.awaitSlot(endpointId)?.then((acquired) => this.startAttempts(endpointId, acquired));
  }

  private startAttempt(delivery: LeasedDelivery): void {
    const attempt = this.makeAttempt(delivery)
      .catch((error: unknown) => {
        this.options.log.error(
          { err: error, event_id: delivery.eventId, endpoint_id: delivery.endpointId },
          'an attempt was interrupted',
        );
      })
      .finally(() => {
        this.attempts.delete(attempt);
        if (this.capacity.finish(delivery)) this.wakeUpSignal.send();
      });
    this.attempts.add(attempt);
  }

  private async makeAttempt(delivery: LeasedDelivery): Promise<void> {
    const { endpointId, eventId, url, failing, round, roundAttempts, leasedAt, simulatedAt, sinceMs } =
      delivery;
    const startedAt = simulatedAt ?? new Date(leasedAt.getTime() + Math.round(performance.now() - sinceMs));
    // The retries of simulated projects have no jitter, so that a script has the same attempts each time.
    const random = simulatedAt === null ? this.random() : null;
    const outcome = await this.send(delivery);
    if (outcome === null) return releaseLeases(this.options.sql, [delivery]);
    observeAttempt(outcome);
    await this.recorder.add({
      ...{ endpointId, eventId, url, startedAt, simulatedAt, failing, round, roundAttempts },
      outcome,
      retryDelayMs: retryDelayMs(roundAttempts + 1, random, outcome.requestedDelayMs),
    });
  }

  /**
   * Sends the request of an attempt, and then releases the slots of the endpoint and the destination. Returns null if the stop of the process
   * interrupted the request, so that its outcome is unknown.
   */
  private async send(delivery: LeasedDelivery): Promise<Outcome | null> {
    const { endpointId, eventId, url, payload, secrets, traceparent, simulatedAt } = delivery;
    let outcome: Outcome | null = null;
    try {
      // Receivers would reject an unsigned event. This attempt has no outcome, so the delivery is attempted again each time its lease
      // expires, until an operator has configured the encryption key again.
      if (secrets.length === 0) throw new Error('no signing secret of the endpoint can be decrypted');
      const outgoingRequest = { url, eventId, payload, secrets, traceparent, simulatedAt };
      outcome = await this.options.sender.send(outgoingRequest, this.times.timeoutMs);
      return outcome;
    } finally {
      this.apply(endpointId, this.capacity.end(delivery, outcome, performance.now()));
      this.signalDue([]);
    }
  }

  /** Releases the leases of deliveries that were removed from the capacity, and then their memory. */
  private async release(deliveries: readonly DueDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.endLeases(deliveries);
    if (this.capacity.free(deliveries.length)) this.wakeUpSignal.send();
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

function observeAttempt({ accepted, responseStatus, durationMs }: Outcome): void {
  const outcome = accepted ? 'accepted' : responseStatus === null ? 'no_response' : 'rejected';
  attemptDuration.observe({ outcome }, durationMs / 1_000);
}

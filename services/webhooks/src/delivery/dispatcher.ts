/**
 * Sends what is due. A new event's deliveries come straight from the intake, as far as there is room; what there is no
 * room for waits in the table, and is taken when there is. A slow look at all endpoints finds retries whose time has come
 * and whatever another process left behind.
 *
 * Tries in flight are bounded for each endpoint, more tightly for one that fails, and what is held is bounded in all, so
 * that slow and dead receivers hold few places. Failure policy: while the database is away tries end, wait to be written
 * down, and nothing new is taken; a process that dies loses its leases, and others try again what it had not written down.
 */
import { WEBHOOK_TIMEOUT_MS } from '@carecover/contract';
import { Alarm, type Log, type Sql } from '@carecover/platform';
import { BatchWriter } from '../batch-writer';
import type { Keyring } from '../signing/keyring';
import { OpenedSecrets } from '../signing/opened-secrets';
import {
  type Capacity,
  type DueDelivery,
  giveBackDeliveries,
  type Taken,
  takeDueDeliveries,
} from '../store/due-deliveries';
import { type FinishedTry, recordTries } from '../store/finished-tries';
import { type HeldDelivery, type LaneLimits, Lanes } from './lanes';
import { observeTry } from './metrics';
import { pauseBeforeNextTry } from './schedule';
import type { Outcome, Sender } from './sender';

export interface DispatcherOptions {
  readonly sql: Sql;
  readonly sender: Sender;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly limits?: Partial<DispatcherLimits>;
  /** From 0 up to 1, for jitter. */
  readonly random?: () => number;
}

interface DispatcherLimits extends LaneLimits {
  /** Milliseconds between looks at all endpoints. */
  readonly tickMs: number;
  readonly timeoutMs: number;
}

const DEFAULT_LIMITS: DispatcherLimits = {
  inAll: 2_000,
  perEndpoint: 10,
  perFailingEndpoint: 2,
  tickMs: 1_000,
  timeoutMs: WEBHOOK_TIMEOUT_MS,
};
const RECORD_BATCH = 200;
/** Nobody waits for what became of a try; many written together cost little more than one. */
const RECORD_LINGER_MS = 15;
/** How long a stop waits for tries in flight. */
const DRAIN_MS = 4_000;

export class Dispatcher {
  private readonly limits: DispatcherLimits;
  private readonly random: () => number;
  private readonly alarm = new Alarm();
  private readonly recorder: BatchWriter<FinishedTry>;
  private readonly secrets: OpenedSecrets;
  private readonly lanes: Lanes;
  /** Endpoints that may have something due. */
  private woken = new Set<string>();
  private readonly tries = new Set<Promise<void>>();
  /** Whether no place at all was left at the last look. */
  private full = false;
  private stopping = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly options: DispatcherOptions) {
    const { sql, keyring, log } = options;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.random = options.random ?? Math.random;
    this.secrets = new OpenedSecrets(sql, keyring, log);
    this.lanes = new Lanes(this.limits);
    this.recorder = new BatchWriter({
      maxBatch: RECORD_BATCH,
      lingerMs: RECORD_LINGER_MS,
      write: (tries) => this.record(tries),
      giveUp: async ({ eventId, endpointId }, error) => {
        log.error({ err: error, event_id: eventId, endpoint_id: endpointId }, 'a try was not recorded');
      },
      log,
    });
  }

  start(): void {
    this.loop = this.run();
  }

  /** Has these endpoints looked at now. */
  wake(endpointIds: Iterable<string>): void {
    for (const id of endpointIds) this.woken.add(id);
    if (this.woken.size > 0) this.alarm.ring();
  }

  /** Gives back what waits for an endpoint that was changed, and looks at it as it is now. */
  async reconsider(endpointId: string): Promise<void> {
    await this.giveBack(this.lanes.takeBackOf(endpointId));
    this.wake([endpointId]);
  }

  /** What the intake may take for this process of what is new. */
  room(): Capacity {
    return this.lanes.capacity('new');
  }

  /** Tries what was taken, and remembers of which endpoints there is more. Never fails: a lease ends by itself. */
  async accept({ deliveries, full }: Taken): Promise<void> {
    try {
      if (deliveries.length > 0) await this.begin(deliveries);
      for (const id of full) this.lanes.noteMore(id, true);
    } catch (error) {
      this.options.log.warn({ err: error }, 'what was taken could not be tried, its lease ends by itself');
    }
    this.wake([...full].filter((id) => this.lanes.wantsMore(id)));
  }

  /** Takes nothing more, lets tries in flight end for a while, and gives back the rest. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.loop;
    await this.giveBack(this.lanes.takeBack());
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([Promise.all(this.tries), patience]);
    clearTimeout(timer);
    await this.options.sender.close();
    await this.recorder.stop();
    await Promise.all(this.tries);
  }

  private async run(): Promise<void> {
    let lookAtAllMs = performance.now() + this.limits.tickMs;
    while (!this.stopping) {
      const rung = await this.alarm.wait(Math.max(0, lookAtAllMs - performance.now()));
      if (this.stopping) return;
      if (rung) {
        const woken = [...this.woken];
        this.woken = new Set();
        await this.look(woken);
      }
      // By its own time, not by silence: those who are woken without end must not keep others' retries waiting.
      if (performance.now() < lookAtAllMs) continue;
      await this.giveBack(this.lanes.takeBack(performance.now()));
      await this.look(null);
      lookAtAllMs = performance.now() + this.limits.tickMs;
    }
  }

  /** Takes and tries what is due of these endpoints, or of any. */
  private async look(endpointIds: readonly string[] | null): Promise<void> {
    try {
      await this.takeAndTry(endpointIds);
    } catch (error) {
      this.options.log.warn({ err: error }, 'due deliveries could not be taken, the next look finds them');
      for (const id of endpointIds ?? []) this.woken.add(id);
    }
  }

  private async takeAndTry(endpointIds: readonly string[] | null): Promise<void> {
    const capacity = this.lanes.capacity('due');
    if (capacity.free === 0) {
      this.awaitPlace(endpointIds);
      return;
    }
    const { deliveries, full } = await takeDueDeliveries(this.options.sql, endpointIds, capacity);
    if (deliveries.length === capacity.free) this.awaitPlace(endpointIds);
    await this.begin(deliveries);
    const looked = endpointIds ?? deliveries.map(({ endpointId }) => endpointId);
    for (const id of looked) this.lanes.noteMore(id, full.has(id));
  }

  /** There may be more than can be held, to be looked for when a place is free. */
  private awaitPlace(endpointIds: readonly string[] | null): void {
    this.full = true;
    for (const id of endpointIds ?? []) this.woken.add(id);
  }

  private async begin(deliveries: readonly DueDelivery[]): Promise<void> {
    const opened = await this.secrets.open(deliveries.flatMap(({ secretIds }) => secretIds));
    const sinceMs = performance.now();
    for (const delivery of deliveries) {
      const secrets = delivery.secretIds.map((id) => opened.get(id)).filter((secret) => secret !== undefined);
      this.lanes.add({ ...delivery, secrets, sinceMs });
    }
    for (const id of new Set(deliveries.map(({ endpointId }) => endpointId))) this.startTries(id);
  }

  /** Fills the places that the endpoint has free. */
  private startTries(endpointId: string): void {
    for (const delivery of this.lanes.start(endpointId)) {
      const attempt = this.try(delivery)
        .catch((error: unknown) => {
          const { eventId } = delivery;
          this.options.log.error(
            { err: error, event_id: eventId, endpoint_id: endpointId },
            'a try broke off',
          );
        })
        .finally(() => {
          this.tries.delete(attempt);
          this.release(1);
        });
      this.tries.add(attempt);
    }
  }

  private async try(delivery: HeldDelivery): Promise<void> {
    const { endpointId, eventId, url, failing, round, roundAttempts, takenAt, sinceMs } = delivery;
    const startedAt = new Date(takenAt.getTime() + Math.round(performance.now() - sinceMs));
    const outcome = await this.send(delivery);
    if (outcome === null) return giveBackDeliveries(this.options.sql, [delivery]);
    observeTry(outcome);
    const pauseMs = pauseBeforeNextTry(roundAttempts + 1, this.random());
    await this.recorder.add({
      ...{ endpointId, eventId, url, startedAt, failing, round, roundAttempts },
      outcome,
      pauseMs,
    });
  }

  /** Sends, and frees the place for another of the endpoint. */
  private async send(delivery: HeldDelivery): Promise<Outcome | null> {
    const { endpointId, eventId, url, payload, secrets, traceparent } = delivery;
    let outcome: Outcome | null = null;
    try {
      // Sent unsigned it would be refused for ever; so it waits until an operator has put the key back.
      if (secrets.length === 0) throw new Error('the endpoint has no signing secret that opens');
      const shipment = { url, eventId, payload, secrets, traceparent };
      outcome = await this.options.sender.send(shipment, this.limits.timeoutMs);
      return outcome;
    } finally {
      const unwanted = this.lanes.end(endpointId, outcome);
      void this.giveBack(unwanted);
      this.startTries(endpointId);
      if (this.lanes.wantsMore(endpointId)) this.wake([endpointId]);
    }
  }

  private release(count: number): void {
    this.lanes.release(count);
    if (this.full) this.alarm.ring();
    this.full = false;
  }

  /** What can't be given back is due again when its lease ends. */
  private async giveBack(deliveries: readonly DueDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    try {
      await giveBackDeliveries(this.options.sql, deliveries);
    } catch (error) {
      this.options.log.warn(
        { err: error },
        'deliveries could not be given back, their leases end by themselves',
      );
    }
    this.release(deliveries.length);
  }

  private async record(tries: readonly FinishedTry[]): Promise<void> {
    for (const { id, reason } of await recordTries(this.options.sql, tries)) {
      this.options.log.info({ endpoint_id: id, reason }, 'endpoint disabled');
    }
  }
}

/**
 * Sends what is due. A new event's deliveries come straight from the intake, as far as there is room; what there is no
 * room for waits in the table, and is taken when there is. A slow look at all endpoints finds retries whose time has come
 * and whatever another process left behind.
 *
 * Attempts in flight are bounded per endpoint, more tightly for one that fails, and per destination over all projects; what is
 * held is bounded in all. So slow and dead receivers hold few slots. Failure policy: while the database is away tries end, wait to be written
 * down, and nothing new is taken; a process that dies loses its leases, and others try again what it had not written down.
 */
import { WEBHOOK_TIMEOUT_MS } from '@carecover/contract';
import { type Log, type Sql, WakeUpSignal } from '@carecover/platform';
import { BatchWriter } from '../batch-writer';
import type { Keyring } from '../signing/keyring';
import { OpenedSecrets } from '../signing/opened-secrets';
import {
  type Capacity,
  type DueDelivery,
  giveBackDeliveries,
  type Scope,
  type Taken,
  takeDueDeliveries,
} from '../store/due-deliveries';
import { type FinishedAttempt, recordAttempts } from '../store/finished-attempts';
import { ATTEMPTS_PER_DESTINATION, type Destinations, destinationOf } from './destinations';
import { type EndpointQueueLimits, EndpointQueues, type LeasedDelivery } from './endpoint-queues';
import { observeTry } from './metrics';
import { pauseBeforeNextTry } from './schedule';
import type { Outcome, Sender } from './sender';

export interface DispatcherOptions {
  readonly sql: Sql;
  readonly sender: Sender;
  /** Shared with whatever else of the process sends to endpoints. */
  readonly destinations: Destinations;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly limits?: Partial<DispatcherLimits>;
  /** From 0 up to 1, for jitter. */
  readonly random?: () => number;
}

interface DispatcherLimits extends Omit<EndpointQueueLimits, 'perDestination'> {
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
  private readonly wakeUpSignal = new WakeUpSignal();
  private readonly recorder: BatchWriter<FinishedAttempt>;
  private readonly secrets: OpenedSecrets;
  private readonly queues: EndpointQueues;
  /** Endpoints that may have something due. */
  private woken = new Set<string>();
  private wokenDestinations = new Set<string>();
  /** Endpoints that wait for a slot of their destination. */
  private readonly awaitingSlot = new Set<string>();
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
    this.queues = new EndpointQueues({ ...this.limits, perDestination: ATTEMPTS_PER_DESTINATION });
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
    if (this.woken.size > 0 || this.wokenDestinations.size > 0) this.wakeUpSignal.send();
  }

  /** Gives back what waits for an endpoint that was changed, and looks at it as it is now. */
  async reconsider(endpointId: string): Promise<void> {
    await this.giveBack(this.queues.takeBackOf(endpointId));
    this.wake([endpointId]);
  }

  /** What the intake may take for this process of what is new. */
  room(): Capacity {
    return this.queues.capacity('new');
  }

  /** Makes the attempts of the deliveries it took, and records which endpoints have more. Never fails: a lease expires. */
  async accept({ deliveries, full, fullDestinations }: Taken): Promise<void> {
    try {
      if (deliveries.length > 0) await this.begin(deliveries);
      for (const id of full) this.queues.noteMore(id, true);
      for (const destination of fullDestinations) this.queues.noteMoreOf(destination, true);
    } catch (error) {
      this.options.log.warn({ err: error }, 'what was taken could not be tried, its lease ends by itself');
    }
    this.wake([...full].filter((id) => this.queues.wantsMore(id)));
  }

  /** Takes nothing more, lets tries in flight end for a while, and gives back the rest. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeUpSignal.send();
    await this.loop;
    await this.giveBack(this.queues.takeBack());
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
      const rung = await this.wakeUpSignal.wait(Math.max(0, lookAtAllMs - performance.now()));
      if (this.stopping) return;
      if (rung) {
        const woken = { endpointIds: [...this.woken], destinations: [...this.wokenDestinations] };
        this.woken = new Set();
        this.wokenDestinations = new Set();
        await this.look(woken);
      }
      // By its own time, not by silence: those who are woken without end must not keep others' retries waiting.
      if (performance.now() < lookAtAllMs) continue;
      await this.giveBack(this.queues.takeBack(performance.now()));
      await this.look(null);
      lookAtAllMs = performance.now() + this.limits.tickMs;
    }
  }

  /** Takes and tries what is due within the scope, or of any endpoint. */
  private async look(scope: Scope | null): Promise<void> {
    try {
      await this.takeAndTry(scope);
    } catch (error) {
      this.options.log.warn({ err: error }, 'due deliveries could not be taken, the next look finds them');
      this.lookAgain(scope);
    }
  }

  private async takeAndTry(scope: Scope | null): Promise<void> {
    const capacity = this.queues.capacity('due');
    if (capacity.free === 0) {
      this.awaitPlace(scope);
      return;
    }
    const { deliveries, full, fullDestinations } = await takeDueDeliveries(this.options.sql, scope, capacity);
    if (deliveries.length === capacity.free) this.awaitPlace(scope);
    await this.begin(deliveries);
    const looked = scope?.endpointIds ?? deliveries.map(({ endpointId }) => endpointId);
    for (const id of new Set([...looked, ...full])) this.queues.noteMore(id, full.has(id));
    for (const destination of scope?.destinations ?? this.queues.destinationsWithMore()) {
      this.queues.noteMoreOf(destination, false);
    }
    for (const destination of fullDestinations) this.queues.noteMoreOf(destination, true);
  }

  /** There may be more than can be held, to be looked for when a place is free. */
  private awaitPlace(scope: Scope | null): void {
    this.full = true;
    this.lookAgain(scope);
  }

  private lookAgain(scope: Scope | null): void {
    for (const id of scope?.endpointIds ?? []) this.woken.add(id);
    for (const destination of scope?.destinations ?? []) this.wokenDestinations.add(destination);
  }

  private async begin(deliveries: readonly DueDelivery[]): Promise<void> {
    const opened = await this.secrets.open(deliveries.flatMap(({ secretIds }) => secretIds));
    const sinceMs = performance.now();
    for (const delivery of deliveries) {
      const secrets = delivery.secretIds.map((id) => opened.get(id)).filter((secret) => secret !== undefined);
      this.queues.add({ ...delivery, destination: destinationOf(delivery.url), secrets, sinceMs });
    }
    for (const id of new Set(deliveries.map(({ endpointId }) => endpointId))) this.startAttempts(id);
  }

  /** Fills the places that the endpoint has free, as far as its destination has slots, and waits for a slot for the next. */
  private startAttempts(endpointId: string): void {
    const { destinations } = this.options;
    this.startEach(this.queues.start(endpointId, (destination) => destinations.tryAcquire(destination)));
    const next = this.queues.next(endpointId);
    if (next === undefined || this.awaitingSlot.has(endpointId)) return;
    this.awaitingSlot.add(endpointId);
    void destinations
      .take(next.destination, next.projectId)
      .then(
        () => this.startWithSlot(endpointId, next.destination),
        () => undefined,
      )
      .finally(() => {
        this.awaitingSlot.delete(endpointId);
        this.startAttempts(endpointId);
      });
  }

  /** Starts one delivery with a slot that was waited for; meanwhile it may have been given back. */
  private startWithSlot(endpointId: string, destination: string): void {
    let isUsed = false;
    const started = this.queues.start(endpointId, (wanted) => {
      if (isUsed || wanted !== destination) return false;
      isUsed = true;
      return true;
    });
    this.startEach(started);
    if (!isUsed) this.options.destinations.give(destination);
  }

  private startEach(deliveries: readonly LeasedDelivery[]): void {
    for (const delivery of deliveries) {
      const { endpointId } = delivery;
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

  private async try(delivery: LeasedDelivery): Promise<void> {
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
  private async send(delivery: LeasedDelivery): Promise<Outcome | null> {
    const { endpointId, eventId, destination, url, payload, secrets, traceparent } = delivery;
    let outcome: Outcome | null = null;
    try {
      // Sent unsigned it would be refused for ever; so it waits until an operator has put the key back.
      if (secrets.length === 0) throw new Error('the endpoint has no signing secret that opens');
      const outgoingRequest = { url, eventId, payload, secrets, traceparent };
      outcome = await this.options.sender.send(outgoingRequest, this.limits.timeoutMs);
      return outcome;
    } finally {
      const unwanted = this.queues.end(endpointId, outcome);
      void this.giveBack(unwanted);
      this.options.destinations.give(destination);
      this.startAttempts(endpointId);
      if (this.queues.wantsMoreOf(destination)) this.wokenDestinations.add(destination);
      if (this.queues.wantsMore(endpointId)) this.woken.add(endpointId);
      this.wake([]);
    }
  }

  private release(count: number): void {
    this.queues.release(count);
    if (this.full) this.wakeUpSignal.send();
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

  private async record(tries: readonly FinishedAttempt[]): Promise<void> {
    for (const { id, reason } of await recordAttempts(this.options.sql, tries)) {
      this.options.log.info({ endpoint_id: id, reason }, 'endpoint disabled');
    }
  }
}

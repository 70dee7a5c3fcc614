/**
 * Sends what is due. Woken for a new event, it takes and tries its deliveries at once; a slow look at all endpoints
 * finds retries whose time has come and whatever another process left behind. Nothing waits in memory: a delivery is
 * taken only when it can be tried now.
 *
 * Tries in flight are bounded in all and for each endpoint, more tightly for one that fails, so that slow and dead
 * receivers hold few places. Failure policy: while the database is away tries end, wait to be written down, and nothing
 * new is taken; a process that dies loses its leases, and others try again what it had not written down.
 */
import { WEBHOOK_TIMEOUT_MS } from '@carecover/contract';
import { Alarm, type Log, type Sql } from '@carecover/platform';
import { BatchWriter } from '../batch-writer';
import type { Keyring } from '../signing/keyring';
import { type DueDelivery, giveBackDeliveries, takeDueDeliveries } from '../store/due-deliveries';
import { type FinishedTry, recordTries } from '../store/finished-tries';
import { observeTry } from './metrics';
import { pauseBeforeNextTry } from './schedule';
import type { Outcome, Sender } from './sender';

export interface DispatcherOptions {
  readonly sql: Sql;
  readonly sender: Sender;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly limits?: Partial<typeof DEFAULT_LIMITS>;
  /** From 0 up to 1, for jitter. */
  readonly random?: () => number;
}

const DEFAULT_LIMITS = {
  /** Tries in flight in this process, or still to be written down. */
  inAll: 500,
  perEndpoint: 10,
  perFailingEndpoint: 2,
  /** Milliseconds between looks at all endpoints. */
  tickMs: 1_000,
  timeoutMs: WEBHOOK_TIMEOUT_MS,
};
const RECORD_BATCH = 200;
/** How long a stop waits for tries in flight. */
const DRAIN_MS = 4_000;

export class Dispatcher {
  private readonly limits: typeof DEFAULT_LIMITS;
  private readonly random: () => number;
  private readonly alarm = new Alarm();
  private readonly recorder: BatchWriter<FinishedTry>;
  /** Endpoints that may have something due. */
  private woken = new Set<string>();
  /** Endpoints of which there was more than could be taken. */
  private readonly backlogged = new Set<string>();
  private readonly inFlight = new Map<string, number>();
  private readonly tries = new Set<Promise<void>>();
  /** Whether no place at all was left at the last look. */
  private full = false;
  private stopping = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly options: DispatcherOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.random = options.random ?? Math.random;
    this.recorder = new BatchWriter({
      maxBatch: RECORD_BATCH,
      write: (tries) => this.record(tries),
      giveUp: async ({ eventId, endpointId }, error) => {
        options.log.error(
          { err: error, event_id: eventId, endpoint_id: endpointId },
          'a try was not recorded',
        );
      },
      log: options.log,
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

  /** Takes nothing more, lets tries in flight end for a while, and gives back the rest. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.loop;
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
    }
  }

  private async takeAndTry(endpointIds: readonly string[] | null): Promise<void> {
    const free = this.limits.inAll - this.tries.size;
    const { perEndpoint, perFailingEndpoint } = this.limits;
    const capacity = { inFlight: this.inFlight, perEndpoint, perFailingEndpoint, free };
    const due = free > 0 ? await takeDueDeliveries(this.options.sql, endpointIds, capacity) : [];
    this.noteBacklog(endpointIds, due);
    if (due.length === free) {
      // There may be more, to be looked for when a place is free.
      this.full = true;
      for (const id of endpointIds ?? []) this.woken.add(id);
    }
    for (const delivery of due) this.begin(delivery);
  }

  private noteBacklog(endpointIds: readonly string[] | null, due: readonly DueDelivery[]): void {
    const taken = new Map<string, number>();
    for (const { endpointId } of due) taken.set(endpointId, (taken.get(endpointId) ?? 0) + 1);
    for (const id of endpointIds ?? []) if (!this.inFlight.has(id)) this.backlogged.delete(id);
    for (const { endpointId, room } of due) {
      if (taken.get(endpointId) === room) this.backlogged.add(endpointId);
      else this.backlogged.delete(endpointId);
    }
  }

  private begin(delivery: DueDelivery): void {
    const { endpointId, eventId } = delivery;
    this.inFlight.set(endpointId, (this.inFlight.get(endpointId) ?? 0) + 1);
    const attempt = this.try(delivery)
      .catch((error: unknown) => {
        this.options.log.error({ err: error, event_id: eventId, endpoint_id: endpointId }, 'a try broke off');
      })
      .finally(() => {
        this.tries.delete(attempt);
        if (this.full) this.alarm.ring();
        this.full = false;
      });
    this.tries.add(attempt);
  }

  private async try(delivery: DueDelivery): Promise<void> {
    const { endpointId, eventId, url, startedAt, failing, round, roundAttempts } = delivery;
    const outcome = await this.send(delivery).finally(() => this.leave(endpointId));
    if (outcome === null) return giveBackDeliveries(this.options.sql, [delivery]);
    observeTry(outcome);
    const pauseMs = pauseBeforeNextTry(roundAttempts + 1, this.random());
    await this.recorder.add({
      endpointId,
      eventId,
      url,
      startedAt,
      failing,
      round,
      roundAttempts,
      outcome,
      pauseMs,
    });
  }

  private async send({ endpointId, eventId, url, payload, secrets }: DueDelivery): Promise<Outcome | null> {
    const opened = secrets.map((sealed) => this.options.keyring.open(sealed, endpointId));
    return this.options.sender.send({ url, eventId, payload, secrets: opened }, this.limits.timeoutMs);
  }

  /** Frees the place of a try that has ended, for another of the endpoint. */
  private leave(endpointId: string): void {
    const left = (this.inFlight.get(endpointId) ?? 1) - 1;
    if (left === 0) this.inFlight.delete(endpointId);
    else this.inFlight.set(endpointId, left);
    if (this.backlogged.has(endpointId)) this.wake([endpointId]);
  }

  private async record(tries: readonly FinishedTry[]): Promise<void> {
    for (const { id, reason } of await recordTries(this.options.sql, tries)) {
      this.options.log.info({ endpoint_id: id, reason }, 'endpoint disabled');
    }
  }
}

/**
 * Measures how far the workflows of resources are behind the commands that changed these resources: the age of the oldest pending signal
 * while commands are measured, and the rate at which pending signals are sent afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectPostgres, constantText, type Sql } from '@carecover/postgres';
import type { WORKER_DEPLOYMENTS } from '@carecover/setup/worker-versions';
import type { BenchStack } from './bench-stack';
import { median } from './measure';

/** A service whose resources have workflows. */
type ServiceWithRuns = (typeof WORKER_DEPLOYMENTS)[number];

const SAMPLE_MS = 250;
const DRAIN_LIMIT_MS = 600_000;
/** Minimum number of pending signals from which the rate of sending is computed. */
const LEAST_FOR_RATE = 8;

/** The lag of the workflows over all measurements of one command. */
export interface RunLagFigures {
  /** The age of the oldest pending signal during the measurements, in seconds: the largest one. */
  readonly oldestSeconds: number;
  /** The number of pending signals at the end of a measurement: the largest one. */
  readonly pending: number;
  /** The duration until all signals of a measurement were sent, in seconds after its end: the longest one. */
  readonly drainSeconds: number;
  /** The number of signals sent per second after a measurement: the median; null if no measurement left enough signals. */
  readonly signalsPerSecond: number | null;
}

export class RunLag {
  private readonly sql: Sql;
  private sampling: { stop: boolean; done: Promise<void> } | null = null;
  private oldestSeconds = 0;
  private pendingMax = 0;
  private drainSeconds = 0;
  private rates: number[] = [];

  private constructor(
    stack: BenchStack,
    private readonly services: readonly ServiceWithRuns[],
    private readonly isPaused: boolean,
  ) {
    this.sql = connectPostgres(stack.databaseUrl(), 1, 'bench');
  }

  /** @param services the services whose pending signals count */
  static open(stack: BenchStack, services: readonly ServiceWithRuns[]): RunLag {
    return new RunLag(stack, services, stack.signalsPerSecond === 0);
  }

  /** Starts to sample the age of the oldest pending signal. */
  startLoad(): void {
    const sampling = { stop: false, done: Promise.resolve() };
    sampling.done = this.sample(sampling);
    this.sampling = sampling;
  }

  /** Stops sampling, and waits until no signal is pending. With paused signals it does not wait. */
  async endLoad(): Promise<void> {
    const { sampling } = this;
    if (sampling === null) return;
    this.sampling = null;
    sampling.stop = true;
    await sampling.done;
    if (this.isPaused) return;
    const { pending } = await this.read();
    const startedMs = performance.now();
    while ((await this.read()).pending > 0) {
      if (performance.now() - startedMs > DRAIN_LIMIT_MS)
        throw new Error('signals to workflows are pending ten minutes after a measurement');
      await sleep(SAMPLE_MS);
    }
    const seconds = (performance.now() - startedMs) / 1_000;
    this.pendingMax = Math.max(this.pendingMax, pending);
    this.drainSeconds = Math.max(this.drainSeconds, seconds);
    if (pending >= LEAST_FOR_RATE) this.rates.push(pending / seconds);
  }

  /** Returns the figures since the last call, and resets them; null if signals are paused. */
  take(): RunLagFigures | null {
    const { oldestSeconds, pendingMax: pending, drainSeconds, rates } = this;
    Object.assign(this, { oldestSeconds: 0, pendingMax: 0, drainSeconds: 0, rates: [] });
    if (this.isPaused) return null;
    return {
      oldestSeconds,
      pending,
      drainSeconds,
      signalsPerSecond: rates.length === 0 ? null : median(rates),
    };
  }

  async close(): Promise<void> {
    await this.sql.end();
  }

  private async sample(sampling: { readonly stop: boolean }): Promise<void> {
    while (!sampling.stop) {
      this.oldestSeconds = Math.max(this.oldestSeconds, (await this.read()).oldestSeconds);
      await sleep(SAMPLE_MS);
    }
  }

  private async read(): Promise<{ readonly pending: number; readonly oldestSeconds: number }> {
    const all = this.services
      .map((service) => `select enqueued_at from ${service}.workflow_signals`)
      .join(' union all ');
    const [row] = await this.sql<{ pending: number; oldest: number }[]>`${constantText(`
      select count(*)::int as pending,
        coalesce(extract(epoch from clock_timestamp() - min(enqueued_at)), 0)::float8 as oldest
      from (${all}) as signals`)}`;
    return { pending: row?.pending ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }
}

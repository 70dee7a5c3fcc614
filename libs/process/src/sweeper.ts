/**
 * Continues unfinished work: every ten seconds, sweeps query for work that a crash or an outage interrupted (resources without a
 * workflow, passed deadlines, commands without a response) and execute it. Sweeps whose work can wait, such as the deletion of old rows,
 * run every minute.
 *
 * Failure policy: a sweep that fails is logged and runs again in the next pass.
 */

import type { Log } from '@carecover/telemetry';
import { metricsRegistry } from '@carecover/telemetry';
import { Counter } from 'prom-client';
import { startLoop } from './background-loop';
import { interruptibleSleep } from './interruptible-sleep';
import type { Stoppable } from './lifecycle';

/** Pause in milliseconds between two passes of sweeps whose work can wait. */
export const CLEANUP_INTERVAL_MS = 60_000;

const BUSY_PAUSE_MS = 3_000;

const failures = new Counter({
  name: 'carecover_sweep_failures_total',
  help: 'Number of sweeps that failed and will run again',
  labelNames: ['sweep'],
  registers: [metricsRegistry],
});

/** A periodic query and the work on its result. A sweep can run at any time, also in several replicas at once. */
export interface Sweep {
  readonly name: string;
  /** Resolves to true if there is more work, so that the next pass starts after a shorter pause. */
  readonly run: () => Promise<unknown>;
}

/**
 * Executes the work of a sweep for each row in sequence. A row whose work fails does not prevent the others.
 *
 * @throws the first failure, after all rows
 */
export async function forEachOf<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const row of rows) await work(row).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/**
 * Executes the work of a sweep for all rows at once. Use it for few rows, whose work calls another service: a service that does not respond
 * then delays the other sweeps only once.
 *
 * @throws the first failure, after all rows
 */
export async function forAllOf<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
): Promise<void> {
  const outcomes = await Promise.allSettled(rows.map(work));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * Runs the sweeps in sequence until stopped, with a pause of `intervalMs` milliseconds, 20 % more or less, between passes. The pause is
 * at most three seconds if a sweep has more work.
 */
export function startSweeper(sweeps: readonly Sweep[], intervalMs: number, log: Log): Stoppable {
  return startLoop({ name: 'the sweeper', log }, async (stopping) => {
    let hasMore = false;
    for (const { name, run } of sweeps) {
      if (stopping.aborted) return;
      try {
        if ((await run()) === true) hasMore = true;
      } catch (error) {
        failures.inc({ sweep: name });
        log.warn({ err: error, sweep: name }, 'a sweep failed and will run again');
      }
    }
    const pauseMs = hasMore ? Math.min(intervalMs, BUSY_PAUSE_MS) : intervalMs;
    await interruptibleSleep(pauseMs * (0.8 + 0.4 * Math.random()), stopping);
  });
}

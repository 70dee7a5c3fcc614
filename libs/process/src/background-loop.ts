/**
 * Retries background work until it succeeds. The work is a pass of a loop that runs until the process stops, or a write that must not be
 * lost.
 *
 * Failure policy: any error is logged as a warning, and the work is retried after a pause. The first pause takes a quarter of a second.
 * Each later pause is twice as long, up to two seconds. If the work ran for longer than two seconds before it failed, the pause is a
 * quarter of a second again. A stop of the process ends the pause and the retries.
 */

import type { Log } from '@carecover/telemetry';
import { interruptibleSleep } from './interruptible-sleep';
import type { Stoppable } from './lifecycle';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

export interface RetriedWork {
  /** Name of the work in log lines, such as `the relay`. */
  readonly name: string;
  readonly log: Log;
  /** Further fields of the log lines. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * Repeats `work` until it succeeds, or until it fails and `stopping` is aborted.
 *
 * @returns the result of `work`; undefined if `work` failed and `stopping` is aborted
 * @example await retryUntilStopped({ name: 'the record', log }, stopping, () => record(sql, attempts));
 */
export async function retryUntilStopped<T>(
  { name, log, fields }: RetriedWork,
  stopping: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
    const startedMs = performance.now();
    try {
      return await work();
    } catch (error) {
      if (performance.now() - startedMs > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      log.warn({ err: error, ...fields, pause_ms: pauseMs }, `${name} failed and is retried`);
    }
    await interruptibleSleep(pauseMs, stopping);
    if (stopping.aborted) return undefined;
  }
}

/**
 * Runs `pass` repeatedly until stopped. A pass that fails is retried.
 *
 * @param pass waits while there is no work, and ends soon after its AbortSignal is aborted
 * @example const loop = startLoop({ name: 'the relay', log }, (stopping) => relay(stopping));
 */
export function startLoop(work: RetriedWork, pass: (stopping: AbortSignal) => Promise<void>): Stoppable {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted)
      await retryUntilStopped(work, stopping.signal, () => pass(stopping.signal));
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

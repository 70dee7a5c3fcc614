/**
 * Nothing waits for luck: every few seconds a sweeper looks for what a crash or an absence left undone (open resources
 * without a workflow, deadlines that passed without effect, commands whose sender is gone) and does it again. Each sweep
 * must be safe to run at any time and by several replicas at once. Failure policy: a failed sweep is logged and comes again.
 */
import { Counter } from 'prom-client';
import { rest } from './interruptible-sleep';
import type { Log } from './log';
import { registry } from './metrics';

const failures = new Counter({
  name: 'carecover_sweep_failures_total',
  help: 'Sweeps that failed, to come again',
  labelNames: ['sweep'],
  registers: [registry],
});

export interface Sweep {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Runs the sweeps one after the other, then rests for `intervalMs` give or take a fifth, until stopped. */
export function startSweeper(
  sweeps: readonly Sweep[],
  intervalMs: number,
  log: Log,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const { name, run } of sweeps) {
        if (stopping.signal.aborted) return;
        try {
          await run();
        } catch (error) {
          failures.inc({ sweep: name });
          log.warn({ err: error, sweep: name }, 'sweep failed, comes again');
        }
      }
      const restMs = intervalMs * (0.8 + 0.4 * Math.random());
      await rest(restMs, stopping.signal);
    }
  }
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

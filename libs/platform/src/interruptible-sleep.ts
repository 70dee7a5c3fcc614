/** A rest that being stopped cuts short: what every loop does between two rounds. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns after `ms` milliseconds, or as soon as the signal aborts; the caller looks at the signal again. */
export async function rest(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch((error: unknown) => {
    if (!stopping.aborted) throw error;
  });
}

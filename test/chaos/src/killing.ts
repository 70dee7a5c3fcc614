/** Kills and restarts processes and servers of a stack in turn while the work of a test runs. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of a service, or a server, that a test can kill and start again. */
export interface KillablePart {
  readonly name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface Pace {
  /**
   * The time in milliseconds from the start of one part to the kill of the next part. If the part took longer to start, the time is that of
   * its start, so that work proceeds between the kills on any machine.
   */
  readonly upMs: number;
  /** The time in milliseconds from the kill of a part to its restart. */
  readonly downMs: number;
  /** The minimum number of kills. If the work of the test ends before this number is reached, the kills continue. */
  readonly minKills?: number;
}

/**
 * Kills and restarts parts of a stack in turn until `work` has ended and there were `minKills` kills. Returns the result of the work and the number of kills by part name.
 *
 * @throws the error of `work`; if `work` succeeds, the error of a part that could not be killed or restarted
 */
export async function whileKilling<T>(
  parts: readonly KillablePart[],
  { upMs, downMs, minKills = 0 }: Pace,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly kills: ReadonlyMap<string, number> }> {
  const kills = new Map<string, number>();
  let done = false;
  const killInTurn = async () => {
    let startMs = 0;
    for (let turn = 0; turn < minKills || !done; turn++) {
      const part = parts[turn % parts.length];
      if (part === undefined) throw new Error('parts must not be empty');
      await sleep(Math.max(upMs, startMs));
      await part.kill();
      kills.set(part.name, (kills.get(part.name) ?? 0) + 1);
      await sleep(downMs);
      const startedAt = performance.now();
      await part.start();
      startMs = performance.now() - startedAt;
    }
  };
  const working = async () => {
    try {
      return await work();
    } finally {
      done = true;
    }
  };
  const [worked, killed] = await Promise.allSettled([working(), killInTurn()]);
  if (worked.status === 'rejected') throw worked.reason;
  if (killed.status === 'rejected') throw killed.reason;
  return { result: worked.value, kills };
}

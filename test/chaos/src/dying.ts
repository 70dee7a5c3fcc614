/** Parts of a stack that die by SIGKILL, one after the other, while something else goes on. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of a service, or a server. */
export interface Mortal {
  readonly name: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface Pace {
  /** Between one's return and the next one's death, and between a death and the return. */
  readonly calmMs: number;
  readonly deadMs: number;
  /** How many die, however soon the work is done. */
  readonly deaths?: number;
}

/**
 * Kills the parts in turn and starts each again until the work is done; gives what that gave, and how often each died.
 * @throws what the work throws; else, once it is done, what kept a part from coming back
 */
export async function whileDying<T>(
  parts: readonly Mortal[],
  { calmMs, deadMs, deaths: atLeast = 0 }: Pace,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly deaths: ReadonlyMap<string, number> }> {
  const deaths = new Map<string, number>();
  let done = false;
  const killInTurn = async () => {
    for (let turn = 0; turn < atLeast || !done; turn++) {
      const part = parts[turn % parts.length];
      if (part === undefined) throw new Error('nothing is to die');
      await sleep(calmMs);
      await part.kill();
      deaths.set(part.name, (deaths.get(part.name) ?? 0) + 1);
      await sleep(deadMs);
      await part.start();
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
  return { result: worked.value, deaths };
}

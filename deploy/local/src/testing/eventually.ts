/** Waiting for what comes about by itself: asked for again and again, since no test knows how fast a machine is. */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Asks until `check` finds what it looks for, and gives that.
 * @param what comes about: "the workflow ends"
 * @param patienceMs less than the test's own limit, which could not say what was waited for
 * @throws Error naming `what` after `patienceMs`; whatever `check` throws
 */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined | false>,
  patienceMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`it never came about that ${what}`);
    await sleep(pauseMs);
  }
}

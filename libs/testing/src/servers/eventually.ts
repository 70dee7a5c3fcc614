/** Waits for the results of background work by polling, because tests must not depend on the speed of the machine. */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Polls until `check` resolves to a value other than undefined and false, and returns the value.
 *
 * @param what the expected condition for the error message, such as "the workflow ends"
 * @param timeoutMs shorter than the test's timeout, whose error would not name the condition
 * @throws Error that names `what` after `timeoutMs`, or the error of `check`
 */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined | false>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`timed out: ${what}`);
    await sleep(pauseMs);
  }
}

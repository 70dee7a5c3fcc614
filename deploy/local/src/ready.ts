/**
 * Waits until a started process responds. If it ends first or does not respond, the error contains the last lines of its log, and the process
 * does not run any more: its next start needs the same port.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './children';
import { StartFailure } from './failure';

const POLL_MS = 100;
const TIMEOUT_MS = 60_000;
const SHOWN_LINES = 8;

/**
 * Waits until `isReady` resolves to true. Stops the process before it throws.
 *
 * @throws StartFailure if the process ends, or is not ready within `timeoutMs`; or the error of `isReady`
 */
export async function waitUntilReady(
  child: Child,
  logFile: string,
  isReady: () => Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  try {
    await pollUntilReady(child, logFile, isReady, timeoutMs);
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function pollUntilReady(
  child: Child,
  logFile: string,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (!child.running()) {
      const { code, signal } = await child.exited;
      throw new StartFailure(
        `${child.name} did not start (${signal ?? `code ${code}`}). The end of ${logFile}:\n${await readLastLines(logFile)}`,
      );
    }
    // Whether the process runs is checked after each response, because another program can respond on the port after the process has
    // ended.
    if ((await isReady()) && child.running()) return;
    await sleep(POLL_MS);
  }
  throw new StartFailure(
    `${child.name} did not respond within ${timeoutMs / 1_000} seconds and was stopped. The end of ${logFile}:\n${await readLastLines(logFile)}`,
  );
}

async function readLastLines(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}

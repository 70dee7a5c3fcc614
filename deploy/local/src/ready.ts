/** Waits for a started server to answer. Its end is noticed at once, and told with the last lines of its log. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './children';
import { StartFailure } from './failure';

const LOOK_AGAIN_MS = 100;
const PATIENCE_MS = 60_000;
const SHOWN_LINES = 8;

/** @throws StartFailure when the process ends before it answers, or doesn't answer within a minute. */
export async function untilReady(
  child: Child,
  logFile: string,
  answers: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if (!child.running()) {
      const { code, signal } = await child.exited;
      throw new StartFailure(
        `${child.name} did not start (${signal ?? `code ${code}`}). The end of ${logFile}:\n${await lastLines(logFile)}`,
      );
    }
    // Another program may answer in the place of one that has ended.
    if ((await answers()) && child.running()) return;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new StartFailure(
    `${child.name} does not answer after a minute. The end of ${logFile}:\n${await lastLines(logFile)}`,
  );
}

async function lastLines(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}

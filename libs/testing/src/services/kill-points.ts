/** Simulates the end of a process at a failpoint, within the process of the test. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enableFailpoints } from '@carecover/process';

/** Thrown where the process would end: no code handles it, so that an open transaction is rolled back and no later step is executed. */
export class Killed extends Error {
  override readonly name = 'Killed';

  constructor(at = 'a step') {
    super(`the process was killed at ${at}`);
  }
}

/** A failpoint that is set. */
export interface KillPoint {
  /** Clears the failpoint. Returns whether an executor has ended there. */
  clear(): boolean;
}

/** Registers jest hooks that enable failpoints for a suite, and clear them after each test. Returns a function that sets one. */
export function useKillPoints(): (failpoint: string) => KillPoint {
  const { kill } = process;
  let folder: string | undefined;
  let spy: jest.SpyInstance | undefined;
  const fileIn = (path: string) => join(path, 'failpoint');
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'carecover-failpoints-'));
    enableFailpoints(fileIn(folder), 'test');
  });
  afterEach(() => {
    if (folder !== undefined) rmSync(fileIn(folder), { force: true });
    spy?.mockRestore();
  });
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });
  /**
   * Lets the next executor that reaches the failpoint end there: as after a kill, it does nothing more, its open transaction is rolled back,
   * and what it has committed or called before stays.
   */
  return (failpoint) => {
    if (folder === undefined) throw new Error('the suite has not started');
    const file = fileIn(folder);
    const installed = jest.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      if (pid === process.pid && signal === 'SIGKILL') throw new Killed(failpoint);
      return kill.call(process, pid, signal);
    });
    spy = installed;
    writeFileSync(file, failpoint);
    return {
      clear() {
        const wasReached = !existsSync(file);
        rmSync(file, { force: true });
        installed.mockRestore();
        return wasReached;
      },
    };
  };
}

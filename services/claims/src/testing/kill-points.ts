/** Simulates the end of a process at a failpoint, within the process of the test. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enableFailpoints } from '@carecover/platform';

/** A failpoint that is set. */
export interface KillPoint {
  /** Clears the failpoint. Returns whether an executor has ended there. */
  clear(): boolean;
}

/** Registers jest hooks that enable failpoints for a suite. Returns a function that sets one. */
export function useKillPoints(): (failpoint: string) => KillPoint {
  let folder: string | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'carecover-failpoints-'));
    enableFailpoints(join(folder, 'failpoint'), 'test');
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
    const file = join(folder, 'failpoint');
    const { kill } = process;
    const spy = jest.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      if (pid === process.pid && signal === 'SIGKILL') throw new Error(`killed at ${failpoint}`);
      return kill(pid, signal);
    });
    writeFileSync(file, failpoint);
    return {
      clear() {
        const wasReached = !existsSync(file);
        rmSync(file, { force: true });
        spy.mockRestore();
        return wasReached;
      },
    };
  };
}

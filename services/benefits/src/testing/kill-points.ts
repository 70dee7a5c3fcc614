/**
 * Ends the execution of a command at a failpoint as the end of its process would: by an error that no code handles, so that an open
 * transaction is rolled back and no later step is executed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enableFailpoints } from '@carecover/platform';

/** Thrown where the process would end. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** Registers Jest hooks that enable failpoints. Returns a function that sets the failpoint at which the next execution ends. */
export function useKillPoints(): (failpoint: string) => void {
  const folder = mkdtempSync(join(tmpdir(), 'kill-points-'));
  const file = join(folder, 'failpoint');
  const { kill } = process;
  beforeAll(() => {
    enableFailpoints(file, 'test');
    jest.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      if (pid === process.pid && signal === 'SIGKILL') throw new Killed('the process ended');
      return kill.call(process, pid, signal);
    });
  });
  afterEach(() => rmSync(file, { force: true }));
  afterAll(() => {
    enableFailpoints(join(folder, 'none'), 'test');
    jest.mocked(process.kill).mockRestore();
    rmSync(folder, { recursive: true });
  });
  return (failpoint) => writeFileSync(file, failpoint);
}

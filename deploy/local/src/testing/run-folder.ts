/** A folder for servers of a test run, in memory where there is room; it and its processes go when the run goes. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Children } from '../children';
import { freeSpaceOnDisk, MEGABYTE } from '../disk';

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 1_000 * MEGABYTE;

export interface RunFolder {
  path: string;
  children: Children;
}

export async function createRunFolder(): Promise<RunFolder> {
  const path = await temporaryFolder();
  return { path, children: new Children(path, { deleteFolder: true }) };
}

/** A new, empty folder, in memory where there is room. */
export async function temporaryFolder(): Promise<string> {
  const inMemory = process.platform === 'linux' && (await freeSpaceOnDisk(MEMORY)) >= NEEDED_BYTES;
  return mkdtempSync(join(inMemory ? MEMORY : tmpdir(), 'carecover-test-'));
}

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
  const inMemory = process.platform === 'linux' && (await freeSpaceOnDisk(MEMORY)) >= NEEDED_BYTES;
  const path = mkdtempSync(join(inMemory ? MEMORY : tmpdir(), 'carecover-test-'));
  return { path, children: new Children(path, { deleteFolder: true }) };
}

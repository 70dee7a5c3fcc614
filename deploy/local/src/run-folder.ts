/**
 * A temporary folder with the servers of a test run or suite. The reaper stops the servers and deletes the folder if the tests are killed.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Children } from './children';
import { freeSpaceOnDisk, MEGABYTE } from './disk';

/** Environment variable with the folder of the test run, which the run deletes when it ends; not set outside Jest. */
export const RUN_SETTING = 'CARECOVER_TEST_RUN';
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 1_000 * MEGABYTE;

export interface RunFolder {
  path: string;
  children: Children;
}

export async function createRunFolder(): Promise<RunFolder> {
  const path = await createTemporaryFolder();
  return { path, children: new Children(path, { deleteFolder: true }) };
}

/** Creates an empty temporary folder, in memory (/dev/shm) if enough memory is free. */
export async function createTemporaryFolder(): Promise<string> {
  const inMemory = process.platform === 'linux' && (await freeSpaceOnDisk(MEMORY)) >= NEEDED_BYTES;
  return mkdtempSync(join(inMemory ? MEMORY : tmpdir(), 'carecover-test-'));
}

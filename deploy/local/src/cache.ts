/**
 * Caches the results of slow steps, such as builds of servers, in the user's cache folder, by the hash of their input. All clones of the
 * repository share the cache. An entry is created atomically, and only once even if several processes need it.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { waitForLock } from '../process/lock.cjs';

export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME;
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'carecover');
}

export interface CacheEntry {
  name: string;
  /** The input of the slow step: everything on which the result depends. The platform is added automatically. */
  input: readonly string[];
  /** Creates the content of the entry in a new, empty folder. */
  make: (folder: string) => Promise<void>;
}

/**
 * Returns the folder of a cache entry, and creates the entry if it is missing.
 *
 * @throws the error of `make`; the entry is then not created
 */
export async function cached(entry: CacheEntry, folder = cacheFolder()): Promise<string> {
  const hash = createHash('sha256')
    .update(JSON.stringify([process.platform, process.arch, ...entry.input]))
    .digest('hex')
    .slice(0, 16);
  const id = `${entry.name}-${hash}`;
  const path = join(folder, id);
  if (existsSync(path)) return path;

  const lock = await waitForLock(join(folder, `${id}.lock`), (holder) =>
    process.stderr.write(`… waiting for process ${holder}, which is making ${entry.name}\n`),
  );
  const unfinished = join(folder, `${id}.unfinished`);
  try {
    if (existsSync(path)) return path;
    // Deletes the unfinished folder of a process that was killed. No other process uses the folder, because this process holds the lock.
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    await entry.make(unfinished);
    await rename(unfinished, path);
    return path;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    lock.release();
  }
}

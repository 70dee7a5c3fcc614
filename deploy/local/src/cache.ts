/**
 * What takes long to make and depends on known input alone is kept in the user's cache folder by the hash of that
 * input, and shared by all clones. An entry appears whole or not at all, and is made once however many want it.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { waitForLock } from '../../process/lock.cjs';

export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME;
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'carecover');
}

export interface CacheEntry {
  name: string;
  /** Everything that the result depends on; the platform is added. */
  input: readonly string[];
  /** Makes the entry in this new, empty folder. */
  make: (folder: string) => Promise<void>;
}

/** The folder of an entry, made first if it isn't there. Errors of `make` pass through, and leave nothing behind. */
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
    // A maker that was killed has left its folder; nobody else can be in it, since the lock is ours.
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

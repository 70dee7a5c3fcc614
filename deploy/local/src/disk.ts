/** Checks for free disk space before work starts, because the errors of a full disk during the work are less clear. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFailure } from './failure';

export const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000 * MEGABYTE;

/** Returns the number of bytes that this user can still write in a folder. The folder need not exist yet. */
export type FreeSpace = (folder: string) => Promise<number>;

export const freeSpaceOnDisk: FreeSpace = async (folder) => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return freeSpaceOnDisk(dirname(folder));
  }
};

/**
 * Checks that `bytes` are free in a folder. @throws StartFailure that names the folder and contains `purpose`, in a sentence such as "…
 * is needed to build Temporal"
 */
export async function ensureSpace(
  folder: string,
  bytes: number,
  purpose: string,
  freeSpace: FreeSpace = freeSpaceOnDisk,
): Promise<void> {
  const free = await freeSpace(folder);
  if (free >= bytes) return;
  throw new StartFailure(
    `Too little free disk space: ${formatSize(bytes)} is needed to ${purpose} in ${folder}, and ${formatSize(free)} is free.`,
  );
}

function formatSize(bytes: number): string {
  return bytes >= GIGABYTE ? `${(bytes / GIGABYTE).toFixed(1)} GB` : `${Math.floor(bytes / MEGABYTE)} MB`;
}

/** Fails at once where the disk can't hold the result, since a full disk fails later and less clearly. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFailure } from './failure';

export const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000 * MEGABYTE;

/** Bytes that this user can still write in a folder; the folder need not exist yet. */
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

/** @throws StartFailure naming the folder, when fewer than `bytes` are free there. `purpose` ends "… is needed to". */
export async function ensureSpace(
  folder: string,
  bytes: number,
  purpose: string,
  freeSpace: FreeSpace = freeSpaceOnDisk,
): Promise<void> {
  const free = await freeSpace(folder);
  if (free >= bytes) return;
  throw new StartFailure(
    `Too little free disk space: ${size(bytes)} is needed to ${purpose} in ${folder}, and ${size(free)} is free.`,
  );
}

function size(bytes: number): string {
  return bytes >= GIGABYTE ? `${(bytes / GIGABYTE).toFixed(1)} GB` : `${Math.floor(bytes / MEGABYTE)} MB`;
}

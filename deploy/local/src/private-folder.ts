/**
 * Keeps a stack's folder to its owner: passwords, keys, members' data and logs lie in it, and other users of the machine
 * must reach none of it.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartFailure } from './failure';
import { type Home, homeAt } from './home';

/** The permission bits of the group and of all others. */
const OTHERS = 0o077;

/**
 * Creates the folder for its owner alone, or closes it where it is open to others. From here on whatever this process and its
 * children create is the owner's alone too.
 *
 * @throws StartFailure where the folder holds other things than a stack's: their permissions must stay as they are
 */
export function ensurePrivateFolder({ folder }: Home): void {
  const known = Object.values(homeAt(folder)).map((path) => basename(path));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  // What is written aside first has the name of what it becomes, and more.
  if (names.length > 0 && !names.some((name) => known.some((start) => name.startsWith(start)))) {
    throw new StartFailure(
      `${folder} holds other things than a stack of Carecover: set CARECOVER_HOME to a new or empty folder.`,
    );
  }
  process.umask(OTHERS);
  mkdirSync(folder, { recursive: true });
  closeToOthers(folder);
}

/** Closes everything below the folder, as an earlier start or a copy may have left it open. */
export function closeContentToOthers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // A link has no permissions of its own, and what it names may lie elsewhere.
    if (entry.isSymbolicLink()) continue;
    const path = join(folder, entry.name);
    closeToOthers(path);
    if (entry.isDirectory()) closeContentToOthers(path);
  }
}

function closeToOthers(path: string): void {
  const { mode } = lstatSync(path);
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o700);
}

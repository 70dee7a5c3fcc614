/**
 * Makes the folder of a stack private, because it contains passwords, keys, members' data and logs, which other users of the machine must
 * not read.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartFailure } from './failure';
import { type Home, homePaths } from './home';

/** The permission bits of the group and of all other users. */
const OTHERS = 0o077;

/** Names in the folder that other commands than `npm start` create: the tests, the build, a cluster and the start of any command. */
const OTHER_COMMANDS = ['bundles', 'workflows-', 'cluster', 'bootstrap.lock', 'erasures.jsonl'];

/**
 * Creates the folder of a stack with access for its owner only; if it exists, removes the access of other users. Also sets the umask, so
 * that files of this process and its children are private.
 *
 * @throws StartFailure if the folder contains other files than those of a stack, because their permissions must not change
 */
export function ensurePrivateFolder({ folder }: Home): void {
  const known = [...Object.values(homePaths(folder)).map((path) => basename(path)), ...OTHER_COMMANDS];
  const names = existsSync(folder) ? readdirSync(folder) : [];
  // A file belongs to a stack if its name starts with the name of a file of a stack: a temporary file has the name of the file that it
  // replaces, with a suffix.
  if (names.length > 0 && !names.some((name) => known.some((start) => name.startsWith(start)))) {
    throw new StartFailure(
      `${folder} holds other things than a stack of Carecover: set CARECOVER_HOME to a new or empty folder.`,
    );
  }
  process.umask(OTHERS);
  mkdirSync(folder, { recursive: true });
  closeToOthers(folder);
}

/**
 * Removes the access of other users to all files in the folder. An earlier release or a copy of the folder can have created files with
 * that access.
 */
export function closeContentToOthers(folder: string): void {
  for (const entry of ifExists(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    // Symbolic links are skipped: a link has no permissions of its own, and its target can be outside of the folder.
    if (entry.isSymbolicLink()) continue;
    const path = join(folder, entry.name);
    ifExists(() => closeToOthers(path));
    if (entry.isDirectory()) closeContentToOthers(path);
  }
}

/** Returns undefined if a path does not exist any more: another command can delete its files in the folder at any time. */
function ifExists<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function closeToOthers(path: string): void {
  const { mode } = lstatSync(path);
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o700);
}

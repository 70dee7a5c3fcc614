/**
 * Makes the folder of a stack private, because it contains passwords, keys, members' data and logs, which other users of the machine must
 * not read.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartFailure } from './failure';
import { type Home, homePaths } from './home';

/** The permission bits of the group and of all other users. */
const OTHERS = 0o077;

/** A file in the folder of a stack that marks it as such. Each start writes it. */
const MARKER = 'carecover-stack';

/** Names in the folder that other commands than `npm start` create: the tests, the build, a cluster and the start of any command. */
const OTHER_COMMANDS = [
  'bootstrap.lock',
  'bundles',
  'cluster',
  'control.json',
  'erasures.jsonl',
  'processes.json',
  'releases',
  'screenshots',
];
/** Names that contain a number or a random part: folders with bundles of workflows, and the data of a cluster's servers. */
const VARIABLE_NAMES = /^(workflows-\w+|(postgresql|nats)-\d+)$/;

/**
 * Creates the folder of a stack with access for its owner only; if it exists, removes the access of other users. Also sets the umask, so
 * that files of this process and its children are private.
 *
 * @throws StartFailure if the folder is not empty and not that of a stack, because the permissions and processes of other programs must not
 * change
 */
export function ensurePrivateFolder({ folder }: Home): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const foreign = names.includes(MARKER) ? [] : foreignNames(folder, names);
  if (foreign.length > 0) {
    throw new StartFailure(
      `${folder} contains other things than a stack of Carecover, such as ${foreign[0]}: set CARECOVER_HOME to a new or empty folder. If it is the folder of a stack, move the other things to another folder.`,
    );
  }
  process.umask(OTHERS);
  mkdirSync(folder, { recursive: true });
  closeToOthers(folder);
}

/** Writes the file that marks the folder as that of a stack. Files of the user in the folder are then no reason to reject the next start. */
export function markStackFolder({ folder }: Home): void {
  writeFileSync(
    join(folder, MARKER),
    'The folder of a stack of Carecover. Each start makes its files private.\n',
  );
}

/** Returns the names that do not belong to a stack, in a folder without the marker: an earlier release created it, or another program. */
function foreignNames(folder: string, names: readonly string[]): string[] {
  const { folder: _, ...paths } = homePaths(folder);
  const known = [...Object.values(paths).map((path) => basename(path)), ...OTHER_COMMANDS];
  // A temporary file has the name of the file that it replaces, with a suffix that starts with a dot.
  const isKnown = (name: string) =>
    known.some((each) => name === each || name.startsWith(`${each}.`)) ||
    VARIABLE_NAMES.test(name.split('.')[0] ?? '');
  // A stack stores its secrets before it creates the data of servers, so without secrets the data is that of other servers.
  const isData = (name: string) => /^(postgresql|nats)\b/.test(name) && !names.includes('secrets.json');
  return names.filter((name) => !isKnown(name) || isData(name));
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

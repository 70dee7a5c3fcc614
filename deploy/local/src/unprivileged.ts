/**
 * Runs PostgreSQL as another user if this process runs as root, for example in a container, because PostgreSQL does not run as root. The
 * user is `nobody`, with one Linux capability: to read the folders of root, which are often closed to other users.
 */
import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { StartFailure } from './failure';

const USER = 'nobody';

export interface User {
  uid: number;
  gid: number;
}

/** Returns the user that runs PostgreSQL and owns its files; undefined for the current user. */
export async function unprivilegedUser(): Promise<User | undefined> {
  if (userInfo().uid !== 0) return undefined;
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, USER])).stdout);
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch (cause) {
    throw new StartFailure(
      `PostgreSQL can't run as root, and there is no user ${USER} to run it as: start Carecover as another user.`,
      { cause },
    );
  }
}

/** Returns the command line that runs a program of PostgreSQL as {@link unprivilegedUser}. */
export async function asUnprivileged(
  program: string,
  args: readonly string[],
): Promise<[string, ...string[]]> {
  const user = await unprivilegedUser();
  if (user === undefined) return [program, ...args];
  // Without no_setuid_fixup, access(2) ignores capabilities. PostgreSQL finds its programs with access(2), and would not find them in a
  // clone in root's home folder.
  const capability = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    ...capability,
    '--',
    program,
    ...args,
  ];
}

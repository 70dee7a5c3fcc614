/**
 * PostgreSQL does not run as root. Where we are root (in a container, say), it runs as `nobody`, who keeps the one
 * privilege of reaching our folders: root's own are often closed to everybody else.
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

/** Who PostgreSQL runs as, and so who owns its files; undefined when that is simply us. */
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

/** The command line that runs a program of PostgreSQL's as whom it may run. */
export async function asUnprivileged(
  program: string,
  args: readonly string[],
): Promise<[string, ...string[]]> {
  const user = await unprivilegedUser();
  if (user === undefined) return [program, ...args];
  // Without the security bit, access(2), by which PostgreSQL looks for its own programs, would count no privilege: a clone in
  // root's own folder would not start.
  const privilege = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    ...privilege,
    '--',
    program,
    ...args,
  ];
}

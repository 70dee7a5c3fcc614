/** The Go of this machine, and the folder of the Go client. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';

const run = promisify(execFile);

export const CLIENT = join(repositoryRoot(), 'libs/client-go');

/**
 * Runs `go` in the folder of the client. Returns what it printed on the standard output.
 *
 * @throws Error with what it printed on both outputs
 */
export async function go(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    const { stdout } = await run('go', args, { cwd: CLIENT, env: { ...process.env, ...env } });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`go ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Returns whether this machine has a Go that can build the client. Without one, prints one line that names what was not tested. */
export async function hasGo(): Promise<boolean> {
  const hasVersion = await run('go', ['list', '-m'], { cwd: CLIENT }).then(
    () => true,
    () => false,
  );
  if (!hasVersion) process.stderr.write('SKIPPED: the Go client, because go (1.24 or later) is missing\n');
  return hasVersion;
}

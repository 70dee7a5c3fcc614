/** The Java and the Maven of this machine, and the folder of the Java client. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';

const run = promisify(execFile);

export const CLIENT = join(repositoryRoot(), 'libs/client-java');

/** The description from which Maven generates the client. It is not committed. */
export const DESCRIPTION = join(CLIENT, 'openapi.json');

/** Runs a program in a folder. Returns its standard output. @throws Error with the end of what it printed */
export async function execute(
  folder: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 256 * 1024 * 1024 };
    const { stdout } = await run(program, args, options);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${`${stdout}${stderr}`.slice(-8_000)}`, { cause: error });
  }
}

/** Runs Maven in the folder of the client. */
export const maven = (...args: string[]) =>
  execute(CLIENT, 'mvn', ['--batch-mode', '--quiet', '-Dstyle.color=never', ...args]);

/** Returns whether this machine has a JDK and Maven. Without one, prints one line that names what was not tested. */
export async function hasJava(): Promise<boolean> {
  for (const program of ['javac', 'mvn']) {
    const isFound = await run(program, ['-version']).then(
      () => true,
      () => false,
    );
    if (isFound) continue;
    process.stderr.write(`SKIPPED: the Java client, because ${program} is missing\n`);
    return false;
  }
  return true;
}

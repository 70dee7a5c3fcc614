/** Creates Python virtual environments with packages of the Python registry, which all clones of the repository share. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cached } from '@carecover/local/cache';

const run = promisify(execFile);

/**
 * Returns the folder of the programs (`python`) of a virtual environment with these packages. Creates the environment if it does not exist.
 * Without Python, returns null and prints one line that names what was not tested.
 *
 * @param packages requirements with exact versions
 * @example const bin = await pythonEnvironment('the ultimates of chainladder', ['chainladder==0.10.1']);
 */
export async function pythonEnvironment(tested: string, packages: readonly string[]): Promise<string | null> {
  const python = await run('python3', [
    '-c',
    'import sys, venv, ensurepip; assert sys.version_info >= (3, 11); print(sys.executable, sys.version)',
  ]).then(
    ({ stdout }) => stdout,
    () => null,
  );
  if (python === null) {
    process.stderr.write(
      `SKIPPED: ${tested}, because python3 (3.11 or later) with the module venv is missing\n`,
    );
    return null;
  }
  const environment = await cached({
    name: 'python-environment',
    input: [python, ...packages],
    // The cache creates the environment in a temporary folder and then renames the folder. The environment works after this, because Python
    // finds the packages relative to the interpreter.
    make: async (folder) => {
      await run('python3', ['-m', 'venv', folder]);
      // A source package would run its own code when it is installed.
      const args = ['install', '--quiet', '--only-binary', ':all:', ...packages];
      await run(join(folder, 'bin', 'python'), ['-m', 'pip', ...args]);
    },
  });
  return join(environment, 'bin');
}

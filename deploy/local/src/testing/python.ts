/** Creates Python virtual environments with packages of the Python registry, and keeps them in `.carecover/python` of the repository. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@carecover/setup/repository';

const run = promisify(execFile);

/**
 * Returns the folder of the programs (`python`) of a virtual environment with these packages. Creates the environment if it does not exist.
 * Without Python, returns null and prints one line that names what was not tested.
 *
 * @param packages requirements with exact versions
 * @example const bin = await pythonEnvironment('the ultimates of chainladder', ['chainladder==0.10.1']);
 */
export async function pythonEnvironment(tested: string, packages: readonly string[]): Promise<string | null> {
  const folder = join(repositoryRoot(), '.carecover', 'python');
  const hash = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 12);
  const environment = join(folder, hash);
  const bin = join(environment, 'bin');
  if (existsSync(join(bin, 'python'))) return bin;
  const hasPython = await run('python3', [
    '-c',
    'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)',
  ]).then(
    () => true,
    () => false,
  );
  if (!hasPython) {
    process.stderr.write(
      `SKIPPED: ${tested}, because python3 (3.11 or later) with the module venv is missing\n`,
    );
    return null;
  }
  await mkdir(folder, { recursive: true });
  const made = await mkdtemp(join(folder, 'new-'));
  await run('python3', ['-m', 'venv', made]);
  await run(join(made, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  // The environment is created in a temporary folder and renamed when it is complete. Python finds the packages relative to the
  // interpreter.
  try {
    await rename(made, environment);
  } catch (error) {
    // Another test created the same environment at the same time.
    if (!existsSync(join(bin, 'python'))) throw error;
  }
  return bin;
}

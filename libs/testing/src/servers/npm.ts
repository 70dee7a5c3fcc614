/**
 * Packages of the npm registry that only tests need, and other versions of npm than the one on the PATH. All clones of the repository share
 * them.
 */
import { join } from 'node:path';
import { cached } from '@carecover/local/cache';
import { runTool } from '@carecover/local/run-tool';

/** Returns the folder `node_modules` with these packages, which are installed if they are missing. @throws StartFailure if npm fails */
async function install(name: string, packages: readonly string[]): Promise<string> {
  const folder = await cached({
    name,
    input: packages,
    make: async (folder) => {
      const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
      await runTool('npm', [...args, ...packages], { env: process.env });
    },
  });
  return join(folder, 'node_modules');
}

/**
 * Returns the folder `node_modules` with these packages. Installs them if the cache does not have them. If this fails, for example because
 * the registry can't be reached, returns null and prints one line that names what was not tested.
 *
 * @param name the name of the cache entry
 * @param packages names with exact versions
 * @example const modules = await npmPackages('the API description', 'description-linters', ['@redocly/cli@2.77.0']);
 */
export async function npmPackages(
  tested: string,
  name: string,
  packages: readonly string[],
): Promise<string | null> {
  return install(name, packages).catch(() => {
    process.stderr.write(
      `SKIPPED: ${tested}, because the npm packages ${packages.join(', ')} could not be installed\n`,
    );
    return null;
  });
}

/** Returns the file with which Node.js runs this exact version of npm. */
export async function npmProgram(version: string): Promise<string> {
  return join(await install('npm', [`npm@${version}`]), 'npm/bin/npm-cli.js');
}

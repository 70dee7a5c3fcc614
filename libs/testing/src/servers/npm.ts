/** Other versions of npm than the one on the PATH, from the registry. All clones of the repository share them. */
import { join } from 'node:path';
import { cached } from '@carecover/local/cache';
import { runTool } from '@carecover/local/run-tool';

/** Returns the file with which Node.js runs this exact version of npm. */
export async function npmProgram(version: string): Promise<string> {
  const folder = await cached({
    name: 'npm',
    input: [version],
    make: async (folder) => {
      const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
      await runTool('npm', [...args, `npm@${version}`], { env: process.env });
    },
  });
  return join(folder, 'node_modules/npm/bin/npm-cli.js');
}

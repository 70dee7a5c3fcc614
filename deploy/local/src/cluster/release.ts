/** Builds another commit of this repository, and runs its migrations, for a rolling upgrade of a cluster. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrateOptions } from '@carecover/setup/migrate';
import { showProgress } from '../../process/progress.cjs';
import { StartFailure } from '../failure';
import { type Home, REPOSITORY } from '../home';
import { runTool } from '../run-tool';

/** Name of a file that exists in a release's folder only after its build is complete. */
const BUILT = '.carecover-built';

/**
 * Installs and builds a commit in the folder of the cluster, unless an earlier call has built it. Returns the folder of the release.
 *
 * @param commit anything that names a commit for Git, such as a tag or a hash
 * @throws StartFailure if Git knows no such commit, or if it can't be built
 */
export async function buildRelease(home: Home, commit: string): Promise<string> {
  const hash = await resolveCommit(commit);
  const folder = join(home.folder, 'releases', hash.slice(0, 12));
  if (existsSync(join(folder, BUILT))) return folder;
  await showProgress(`building the release ${commit}`, async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const archive = `${folder}.tar`;
    await runTool('git', ['archive', '--output', archive, hash], inFolder(REPOSITORY));
    await runTool('tar', ['-xf', archive, '-C', folder], inFolder(folder));
    await rm(archive);
    await runTool(
      'npm',
      ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      inFolder(folder),
    );
    const turbo = join(folder, 'node_modules/.bin/turbo');
    await runTool(turbo, ['run', 'build', '--output-logs=errors-only'], inFolder(folder));
    await writeFile(join(folder, BUILT), hash);
  });
  return folder;
}

/** Migrates the database with the migrations of a release, in a process that runs its code. */
export async function migrateWith(release: string, options: MigrateOptions): Promise<void> {
  const script = `require('./libs/setup/dist/migrate.js').migrate(JSON.parse(process.env.MIGRATE_OPTIONS))`;
  const { cwd, env } = inFolder(release);
  await runTool(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script], {
    cwd,
    env: { ...env, MIGRATE_OPTIONS: JSON.stringify(options) },
  });
}

async function resolveCommit(commit: string): Promise<string> {
  try {
    const args = ['rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`];
    return (await runTool('git', args, inFolder(REPOSITORY))).trim();
  } catch (cause) {
    throw new StartFailure(`Git knows no commit ${commit}.`, { cause });
  }
}

const inFolder = (cwd: string) => ({
  cwd,
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
});

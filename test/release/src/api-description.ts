/** Compares two OpenAPI descriptions of the API with oasdiff: the description of this release and that of an earlier tagged release. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { oasdiffExecutable } from '@carecover/testing/servers';

export const ROOT = resolve(__dirname, '../../..');
const run = promisify(execFile);
/** The level that oasdiff gives to changes that break clients. Changes of level 2 break only clients that reject unknown values. */
const BREAKING = 3;
/** Changes that oasdiff accepts and docs/guides/versioning.md excludes: they break clients that reject unknown fields. */
const ALSO_BREAKING = ['response-required-property-added', 'response-optional-property-added'];
/** The change that oasdiff rejects and docs/guides/versioning.md permits, except for the status of a resource. */
const ADDED_VALUE = 'response-property-enum-value-added';
const OF_STATUS = /`(?:[^`]*\/)?(?:\w+_)?status(?:\/[^`]*)?` response property/;
const MAX_BUFFER = 64 * 1024 * 1024;

/** The content of an OpenAPI document. */
export type ApiDescription = Record<string, unknown>;

/** Returns the tag of the last release before the checked-out commit; undefined if there is none. */
export async function lastRelease(repository = ROOT): Promise<string | undefined> {
  const args = ['tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname'];
  const { stdout } = await run('git', args, { cwd: repository });
  return stdout.split('\n').find((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
}

/** Renders the API description of a tagged release from its sources, with the packages that are installed now. */
export async function describeRelease(tag: string, repository = ROOT): Promise<ApiDescription> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-tag-'));
  try {
    const archive = join(folder, 'release.tar');
    await run('git', ['archive', '--output', archive, tag, 'libs/contract', '.swcrc'], { cwd: repository });
    await run('tar', ['-xf', archive, '-C', folder]);
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const swc = [
      'src',
      '--out-dir',
      'dist',
      '--strip-leading-paths',
      '--config-file',
      '../../.swcrc',
      '--quiet',
    ];
    const cwd = join(folder, 'libs/contract');
    await run(join(ROOT, 'node_modules/.bin/swc'), swc, { cwd });
    const print = `process.stdout.write(JSON.stringify(require('./dist/openapi').openApiDocument({ serverUrl: '/v1' })))`;
    const { stdout } = await run(process.execPath, ['--eval', print], { cwd, maxBuffer: MAX_BUFFER });
    return JSON.parse(stdout) as ApiDescription;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A change as oasdiff reports it. */
interface Change {
  readonly id: string;
  readonly level: number;
  readonly operation: string;
  readonly path: string;
  readonly text: string;
}

function isBreaking({ id, level, text }: Change): boolean {
  if (id === ADDED_VALUE) return OF_STATUS.test(text);
  return level === BREAKING || ALSO_BREAKING.includes(id);
}

/** Returns a line for each incompatible change between two descriptions. */
export async function findBreakingChanges(before: ApiDescription, after: ApiDescription): Promise<string[]> {
  const oasdiff = await oasdiffExecutable();
  const folder = await mkdtemp(join(tmpdir(), 'carecover-oasdiff-'));
  try {
    const files = { before: join(folder, 'before.json'), after: join(folder, 'after.json') };
    await writeFile(files.before, JSON.stringify(before));
    await writeFile(files.after, JSON.stringify(after));
    const args = ['changelog', '--format', 'json', files.before, files.after];
    const { stdout } = await run(oasdiff, args, { maxBuffer: MAX_BUFFER });
    const changes = JSON.parse(stdout) as Change[];
    return changes.filter(isBreaking).map(({ operation, path, text }) => `${operation} ${path}: ${text}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

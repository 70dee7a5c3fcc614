import { execFile } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../../..');
/** The files of the release process. The tests copy them from the working tree, so that uncommitted changes are tested too. */
const FILES = [
  '.release-it.json',
  'CHANGELOG.md',
  'THIRD_PARTY_LICENSES.md',
  'package.json',
  'package-lock.json',
  'deploy/complete-lock.mjs',
  'deploy/licenses.mjs',
];

let clone: string;
const run = async (program: string, ...args: string[]) => {
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'user.name',
    GIT_CONFIG_VALUE_0: 'Test',
  };
  const email = { GIT_CONFIG_KEY_1: 'user.email', GIT_CONFIG_VALUE_1: 'test@carecover.example' };
  const { stdout } = await promisify(execFile)(program, args, { cwd: clone, env: { ...env, ...email } });
  return stdout;
};
const read = (path: string) => readFileSync(join(clone, path), 'utf8');

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'carecover-release-'));
  await run('git', 'clone', '--quiet', ROOT, '.');
  await run('git', 'checkout', '--quiet', '-B', 'main');
  for (const file of FILES) copyFileSync(join(ROOT, file), join(clone, file));
  await run('git', 'add', '--all');
  await run('git', 'commit', '--quiet', '--allow-empty', '--message', 'The working tree');
  appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const release = (...args: string[]) =>
  run(process.execPath, join(ROOT, 'node_modules/release-it/bin/release-it.js'), '--ci', ...args);

test('a dry run of a release changes nothing', async () => {
  const before = await run('git', 'rev-parse', 'HEAD');
  await release('minor', '--dry-run');
  expect(await run('git', 'rev-parse', 'HEAD')).toBe(before);
  expect(await run('git', 'tag')).toBe('');
  expect(await run('git', 'status', '--porcelain')).toBe('');
});

test('a release raises every version, dates the changelog, and is one tagged commit', async () => {
  const known = JSON.parse(read('package.json')).version as string;
  const [major, minor] = known.split('.').map(Number);
  const next = `${major}.${(minor ?? 0) + 1}.0`;
  const notes = /^## \[Unreleased\]\n([\s\S]+?)(?=^## |$(?![\s\S]))/m.exec(read('CHANGELOG.md'))?.[1]?.trim();
  await release('minor');

  expect(await run('git', 'describe', '--exact-match')).toBe(`v${next}\n`);
  expect(await run('git', 'log', '-1', '--format=%s')).toBe(`Release ${next}\n`);
  expect(await run('git', 'status', '--porcelain')).toBe('');
  const manifests = (await run('git', 'ls-files', 'package.json', '*/package.json')).trim().split('\n');
  expect(manifests.length).toBeGreaterThan(15);
  expect(new Set(manifests.map((path) => JSON.parse(read(path)).version))).toEqual(new Set([next]));
  expect(/^version = "(.*)"$/m.exec(read('libs/client-python/pyproject.toml'))?.[1]).toBe(next);
  expect(
    /<artifactId>carecover-client<\/artifactId>\s*<version>(.*?)</.exec(
      read('libs/client-java/pom.xml'),
    )?.[1],
  ).toBe(next);
  expect(read('libs/client-java/README.md')).toContain(`<version>${next}</version>`);
  const locked = Object.entries<{ version?: string }>(JSON.parse(read('package-lock.json')).packages)
    .filter(([path]) => !path.includes('node_modules/'))
    .map(([, { version }]) => version);
  expect(new Set(locked)).toEqual(new Set([next]));
  expect(read('docs/guides/quick-start.md')).toContain(`carecover-client-${next}.tgz`);
  const day = new Date().toISOString().slice(0, 10);
  expect(notes?.length).toBeGreaterThan(100);
  expect(read('CHANGELOG.md')).toContain(`## [Unreleased]\n\n## [${next}] - ${day}\n\n${notes}`);
});

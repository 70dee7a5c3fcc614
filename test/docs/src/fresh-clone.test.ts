/**
 * The quick start's commands, word for word, in a fresh clone in an empty folder: from nothing to a settled claim and a received
 * webhook; then those of README and CONTRIBUTING, which leave the clone as it was. At full size alone, since it installs and builds
 * everything; what servers were built for another clone is used. At any size: every command is one of those that are run there, or
 * is said below not to be, and why; and what npm is told to run is there.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, testSize } from '@carecover/local/testing';
import { blocks, inlineCode, page, ROOT } from './pages';

const atFullSize = testSize<jest.It>({ ci: test.skip, soak: test });
const PATIENCE_MS = 20 * 60_000;
/** Less than the test's own limit, which would leave the run behind. */
const NESTED_RUN_MS = 80_000;

const [start = '', program = '', curl = '', ...others] = blocks(page('docs/guides/quick-start.md'), 'sh');
/** What stands on the pages and is not run here, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm start': 'is run first, as the quick start has it',
  'npm test': 'runs every suite, as this is part of',
  'npm run soak': 'the same at full size',
  'npm run bench -- gateway': 'takes minutes; that every benchmark runs is shown by test/load',
  'npm install --prefix /tmp/node24 node@24': 'downloads another Node, into a folder outside of the clone',
  'PATH=/tmp/node24/node_modules/node/bin:$PATH npm test': 'needs that Node, and runs every suite',
};
/** What a page leaves open, as it is filled in here. */
const FILLED_IN: Readonly<Record<string, string>> = {
  'SEED=… npx jest …': 'SEED=7 npx jest deploy/local/src/testing/seed',
};
const COMMAND = /^([A-Z_]+=\S+ )*(npm|npx|node|git|docker) /;
const written = [
  ...new Set(
    ['README.md', 'CONTRIBUTING.md']
      .map(page)
      .flatMap((each) => [
        ...blocks(each, 'sh').flatMap((block) => block.split('\n').filter((line) => line.trim() !== '')),
        ...inlineCode(each).filter((code) => COMMAND.test(code)),
      ])
      .map((line) => line.replace(/ +#.*$/, '')),
  ),
];
const commands = written
  .filter((command) => NOT_RUN[command] === undefined)
  .map((command) => FILLED_IN[command] ?? command);

let folder = '';
let stack: ChildProcess | undefined;

/** Nothing of this run's own settings. */
const env = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

afterEach(async () => {
  if (stack !== undefined && stack.exitCode === null) {
    stack.kill('SIGINT');
    await once(stack, 'exit');
  }
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

/** Runs one of the page's commands in the clone, as the second terminal. */
async function inClone(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], {
    cwd: join(folder, 'clone'),
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

test('every command of README and CONTRIBUTING is run in a fresh clone, or is known not to be', () => {
  expect(written).toEqual(expect.arrayContaining([...Object.keys(NOT_RUN), ...Object.keys(FILLED_IN)]));
  expect(commands.filter((command) => !/^(SEED=\d+ )?(npm run|npx) [^…]+$/.test(command))).toEqual([]);
  expect(commands.length).toBeGreaterThan(7);
});

test('what npm is told to run there is a script', () => {
  const scripts = (folder: string) =>
    Object.keys(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).scripts);
  for (const command of written) {
    for (const [, script = '', workspace] of command.matchAll(
      /npm (?:run )?(?!install)([\w:-]+)(?: -w @carecover\/(\w+))?/g,
    )) {
      expect([command, scripts(workspace === undefined ? '.' : `libs/${workspace}`)]).toEqual([
        command,
        expect.arrayContaining([script]),
      ]);
    }
  }
});

test('the property tests of a run draw from the seed that is given, as CONTRIBUTING says', async () => {
  const command = FILLED_IN['SEED=… npx jest …'] ?? '';
  const [, seed = '', suite = ''] = /^SEED=(\d+) npx jest (\S+)$/.exec(command) ?? [];
  // Jest itself and no npx or shell in between, so that it is what a late end ends.
  const { stderr } = await promisify(execFile)(process.execPath, [require.resolve('jest/bin/jest'), suite], {
    cwd: ROOT,
    env: { ...env, SEED: seed },
    timeout: NESTED_RUN_MS,
  });
  expect(stderr).toContain('SEED=7 draws the same cases again');
});

atFullSize(
  'in a fresh clone the quick start leads to a settled claim and a received webhook, and every other command works',
  async () => {
    expect([start.trim(), others]).toEqual(['npm start', []]);
    folder = await mkdtemp(join(tmpdir(), 'carecover-clone-'));
    const began = Date.now();
    await promisify(execFile)('git', ['clone', '--quiet', ROOT, join(folder, 'clone')]);
    let output = '';
    const up = spawn('sh', ['-c', `exec ${start}`], { cwd: join(folder, 'clone'), env });
    stack = up;
    for (const stream of [up.stdout, up.stderr]) stream.on('data', (chunk) => (output += chunk));
    const isUp = async () => {
      if (up.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
      return output.includes('Carecover is up.');
    };
    await eventually('it is up', isUp, PATIENCE_MS);
    const upAfter = Date.now();
    expect(await inClone(program)).toMatch(
      /^claim submitted$[\s\S]*^received claim\.settled \{[\s\S]*settled: 300000/m,
    );
    expect(JSON.parse(await inClone(curl))).toMatchObject({ object: 'list' });
    const seconds = (from: number, to: number) => Math.round((to - from) / 1_000);
    process.stdout.write(
      `a fresh clone is up after ${seconds(began, upAfter)} s; the quick start then takes ${seconds(upAfter, Date.now())} s\n`,
    );

    for (const command of commands) await inClone(command);
    expect(await inClone('git status --porcelain')).toBe('');
  },
  PATIENCE_MS,
);

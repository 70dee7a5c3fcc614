/**
 * The quick start's commands, word for word, in a fresh clone in an empty folder: from nothing to a settled claim and a received
 * webhook; then those of README and CONTRIBUTING, which leave the clone as it was. At full size alone, since it installs and builds everything; what servers were built for another clone is used.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { testSize } from '@carecover/local/testing';
import { blocks, inlineCode, page, ROOT } from './pages';

const atFullSize = testSize<jest.It>({ ci: test.skip, soak: test });
const PATIENCE_MS = 20 * 60_000;

const [start = '', program = '', curl = '', ...others] = blocks(page('docs/guides/quick-start.md'), 'sh');
/** Those that bring everything up, and those that run every suite or benchmark, as this is part of. */
const ELSEWHERE = /^npm (start|test|run soak|run bench|install)/;
const commands = ['README.md', 'CONTRIBUTING.md']
  .map(page)
  .flatMap((each) => [...blocks(each, 'sh').flatMap((block) => block.split('\n')), ...inlineCode(each)])
  .map((line) => line.replace(/ +#.*$/, ''))
  .filter((line) => /^(npm|npx) /.test(line) && !ELSEWHERE.test(line));

let folder: string;
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
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Runs one of the page's commands in the clone, as the second terminal. */
async function inClone(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], {
    cwd: join(folder, 'clone'),
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

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
    while (!output.includes('Carecover is up.')) {
      if (up.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
      await sleep(200);
    }
    const upAfter = Date.now();
    expect(await inClone(program)).toMatch(
      /^claim submitted$[\s\S]*^received claim\.settled \{[\s\S]*settled: 300000/m,
    );
    expect(JSON.parse(await inClone(curl))).toMatchObject({ object: 'list' });
    const seconds = (from: number, to: number) => Math.round((to - from) / 1_000);
    process.stdout.write(
      `a fresh clone is up after ${seconds(began, upAfter)} s; the quick start then takes ${seconds(upAfter, Date.now())} s\n`,
    );

    expect(commands).toEqual(
      expect.arrayContaining(['npm run journey', 'npx carecover --help', 'npm run format']),
    );
    for (const command of commands) await inClone(command);
    expect(await inClone('git status --porcelain')).toBe('');
  },
  PATIENCE_MS,
);

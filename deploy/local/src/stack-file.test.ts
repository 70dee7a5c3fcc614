import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, startTime } from '../process/identity.cjs';
import { sendCommand } from './cluster/commands';
import { type Home, homePaths } from './home';
import { readRunningStack } from './stack-file';

let home: Home;
let other: ChildProcess & { readonly pid: number };
/** The content of stack.json if the other process is the stack. */
let file: { readonly pid: number; readonly started: string };

beforeEach(async () => {
  home = homePaths(await mkdtemp(join(tmpdir(), 'carecover-stack-file-')));
  other = spawn('sleep', ['600']) as typeof other;
  await once(other, 'spawn');
  file = { pid: other.pid, started: startTime(other.pid) ?? '' };
});
afterEach(async () => {
  other.kill('SIGKILL');
  await rm(home.folder, { recursive: true });
});

test('a stack whose process runs is read', async () => {
  await writeFile(home.stack, JSON.stringify(file));
  expect(await readRunningStack(home)).toEqual(file);
});

test('a stack does not run if another process reuses the ID of its process, which is then not signalled', async () => {
  await writeFile(home.stack, JSON.stringify({ ...file, started: 'long ago' }));
  await expect(readRunningStack(home)).rejects.toThrow('No stack runs');
  await expect(sendCommand(home, ['stop'])).rejects.toThrow('No cluster runs');
  expect(isRunning(file)).toBe(true);
});

test('the stop of a cluster returns when its process has ended', async () => {
  await writeFile(home.stack, JSON.stringify(file));
  expect(await sendCommand(home, ['stop'])).toContain('The cluster is stopped');
  expect(isRunning(file)).toBe(false);
});

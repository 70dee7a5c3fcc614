import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@carecover/testing/servers';
import { startTime } from '../process/identity.cjs';
import { readRecords } from '../process/stop.cjs';
import { Children, ChildrenClosed, type ChildSpec } from './children';

const REAPER = join(__dirname, '../process/reaper.cjs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-children-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the options to start a process that prints `ready`, and that runs the code `onTerm` when it receives SIGTERM. */
function spec(name: string, onTerm = 'process.exit(0)'): ChildSpec {
  const code = `process.on('SIGTERM', () => { ${onTerm} }); console.log('ready'); setInterval(() => undefined, 1000);`;
  return {
    name,
    command: process.execPath,
    args: ['-e', code],
    logFile: join(folder, `${name}.log`),
  };
}

async function waitUntilPrinted(...names: string[]): Promise<void> {
  for (const name of names) {
    const file = join(folder, `${name}.log`);
    const isReady = async () => existsSync(file) && readFileSync(file, 'utf8').includes('ready');
    await eventually(`${name} is ready`, isReady);
  }
}

const isRunning = (pid: number) => startTime(pid) !== undefined;

test('closing stops processes before the processes on which they depend', async () => {
  const children = new Children(folder);
  const note = (name: string) =>
    `require('node:fs').appendFileSync(${JSON.stringify(join(folder, 'order'))}, '${name} '); process.exit(0)`;
  children.start(spec('server', note('server')));
  children.start({ ...spec('service', note('service')), dependsOnOthers: true });
  await waitUntilPrinted('server', 'service');
  await children.close();
  expect(readFileSync(join(folder, 'order'), 'utf8')).toBe('service server ');
  expect(() => children.start(spec('late'))).toThrow(ChildrenClosed);
});

test('a process that ignores its signal is killed after the grace period', async () => {
  const children = new Children(folder);
  const child = children.start({ ...spec('stubborn', ''), graceMs: 100 });
  await waitUntilPrinted('stubborn');
  await expect(child.stop()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  await children.close();
});

test('the reaper stops the processes of a supervisor that has ended', async () => {
  const children = new Children(folder);
  const child = children.start(spec('orphan'));
  await waitUntilPrinted('orphan');
  // Closes the reaper's standard input, as happens when its supervisor ends.
  const reaper = spawn(process.execPath, [REAPER, join(folder, 'processes.json')], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  reaper.stdin?.end();
  await once(reaper, 'exit');
  expect(isRunning(child.pid)).toBe(false);
  await children.close();
});

test('the next start stops the processes of an earlier one', async () => {
  const earlier = new Children(folder);
  const child = earlier.start(spec('left'));
  await waitUntilPrinted('left');
  await expect(new Children(folder).stopLeftovers()).resolves.toEqual(['left']);
  expect(isRunning(child.pid)).toBe(false);
  await earlier.close();
});

test('a process that reuses a recorded ID is not stopped', async () => {
  const other = spawn('sleep', ['60']);
  const records = [{ name: 'gone', pid: other.pid, started: 'long ago', stopSignal: 'SIGKILL' }];
  writeFileSync(join(folder, 'processes.json'), JSON.stringify(records));
  await expect(new Children(folder).stopLeftovers()).resolves.toEqual([]);
  expect(isRunning(other.pid ?? 0)).toBe(true);
  other.kill();
});

test('a start ignores records that a crash truncated', async () => {
  writeFileSync(join(folder, 'processes.json'), '[{"name":');
  expect(readRecords(join(folder, 'processes.json'))).toEqual([]);
  await expect(new Children(folder).stopLeftovers()).resolves.toEqual([]);
});

test('while the records can not be written, processes start and end, and they are recorded later', async () => {
  const printed: string[] = [];
  const children = new Children(folder, { print: (line) => printed.push(line) });
  const recorded = () => readRecords(join(folder, 'processes.json')).map(({ name }) => name);
  const [, first] = [children.start(spec('other')), children.start(spec('first'))];
  // A folder with the name of the file that is written makes each write fail.
  const obstacle = join(folder, 'processes.json.next');
  mkdirSync(obstacle);
  await first.kill();
  const second = children.start(spec('second'));
  await waitUntilPrinted('other', 'second');
  expect([recorded(), second.running()]).toEqual([['other', 'first'], true]);
  rmdirSync(obstacle);
  await eventually('the running process is recorded', async () => recorded().includes('second'));
  expect(recorded()).toEqual(['other', 'second']);
  expect(printed).toEqual([expect.stringContaining("can't be recorded yet: Error: EISDIR")]);
  await children.close();
});

test('a temporary folder is deleted after its processes have stopped', async () => {
  const children = new Children(folder, { deleteFolder: true });
  children.start(spec('one'));
  await waitUntilPrinted('one');
  await children.close();
  expect(existsSync(folder)).toBe(false);
});

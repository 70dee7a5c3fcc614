import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTime } from '../../process/identity.cjs';
import { tryLock, waitForLock } from '../../process/lock.cjs';

const LOCK_MODULE = join(__dirname, '../../process/lock.cjs');

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that takes the lock, tells whether it got it, and then stays. */
async function contender(): Promise<{ got: boolean; pid: number; kill: () => Promise<unknown> }> {
  const code = `const { tryLock } = require(${JSON.stringify(LOCK_MODULE)});
    process.send('release' in tryLock(${JSON.stringify(path)}));
    setInterval(() => undefined, 1000);`;
  const script = join(folder, `contender-${Math.random()}.cjs`);
  writeFileSync(script, code);
  const child = fork(script, { execArgv: [] });
  const [got] = await once(child, 'message');
  return {
    got,
    pid: child.pid ?? 0,
    kill: () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      return ended;
    },
  };
}

test('a lock that somebody holds is refused with the holder named', async () => {
  const holder = await contender();
  expect(holder.got).toBe(true);
  expect(tryLock(path)).toEqual({ heldBy: holder.pid });
  await holder.kill();
});

test("a dead holder's lock is taken over", async () => {
  const holder = await contender();
  await holder.kill();
  expect(tryLock(path)).toHaveProperty('release');
});

test("of many who race for a dead holder's lock, one gets it", async () => {
  await (await contender()).kill();
  const racers = await Promise.all(Array.from({ length: 6 }, contender));
  expect(racers.filter(({ got }) => got)).toHaveLength(1);
  await Promise.all(racers.map(({ kill }) => kill()));
});

test('a process that was given the dead holder’s id later does not hold the lock', () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'long ago', nonce: 'x' }));
  expect(tryLock(path)).toHaveProperty('release');
});

test('a lock file cut short by a crash holds nothing', () => {
  writeFileSync(path, '{"pid":');
  expect(tryLock(path)).toHaveProperty('release');
});

test('a released lock leaves no file', () => {
  const lock = tryLock(path);
  if ('release' in lock) lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('who waits for a lock gets it when it is released', async () => {
  const first = tryLock(path);
  const second = waitForLock(path, () => undefined);
  if ('release' in first) first.release();
  (await second).release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a process is told from an earlier one of its id by its start', async () => {
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  const started = startTime(pid);
  expect(started).toEqual(expect.any(String));
  expect(startTime(pid)).toBe(started);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(startTime(pid)).toBeUndefined();
});

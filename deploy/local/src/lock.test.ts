import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTime } from '../process/identity.cjs';
import { tryLock, waitForLock } from '../process/lock.cjs';

const LOCK_MODULE = join(__dirname, '../process/lock.cjs');

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a process that tries to take the lock and then keeps running. Returns whether the process got the lock. */
async function startContender(): Promise<{ got: boolean; pid: number; kill: () => Promise<unknown> }> {
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

test('a held lock is not taken, and its holder is returned', async () => {
  const holder = await startContender();
  expect(holder.got).toBe(true);
  expect(tryLock(path)).toEqual({ heldBy: holder.pid });
  await holder.kill();
});

test('a lock whose holder has ended is taken over', async () => {
  const holder = await startContender();
  await holder.kill();
  expect(tryLock(path)).toHaveProperty('release');
});

test('of several concurrent processes, one takes over the lock of an ended holder', async () => {
  await (await startContender()).kill();
  const racers = await Promise.all(Array.from({ length: 6 }, startContender));
  expect(racers.filter(({ got }) => got)).toHaveLength(1);
  await Promise.all(racers.map(({ kill }) => kill()));
});

test('a process that reuses the ID of an ended holder does not hold the lock', () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'long ago', nonce: 'x' }));
  expect(tryLock(path)).toHaveProperty('release');
});

test('a lock file that a crash truncated has no holder', () => {
  writeFileSync(path, '{"pid":');
  expect(tryLock(path)).toHaveProperty('release');
});

test('a released lock leaves no file', () => {
  const lock = tryLock(path);
  if ('release' in lock) lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a waiting process gets the lock after its release', async () => {
  const first = tryLock(path);
  const second = waitForLock(path, () => undefined);
  if ('release' in first) first.release();
  (await second).release();
  expect(readdirSync(folder)).toEqual([]);
});

test('the start time of a process identifies it, and is undefined after its end', async () => {
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  const started = startTime(pid);
  expect(started).toEqual(expect.any(String));
  expect(startTime(pid)).toBe(started);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(startTime(pid)).toBeUndefined();
});

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@carecover/testing/servers';
import { type Child, Children } from './children';
import { waitUntilReady } from './ready';
import { Supervised } from './supervised';

let folder: string;
let children: Children;
let service: Supervised;
const printed: string[] = [];

/**
 * A program that appends the value of the environment variable GREETING to the file that the variable NOTES names. If the value is `crash`,
 * the program ends immediately.
 */
const CODE = `require('node:fs').appendFileSync(process.env.NOTES, process.env.GREETING + ' ');
  if (process.env.GREETING === 'crash') process.exit(3);
  setInterval(() => undefined, 1000);`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-supervised-'));
  children = new Children(folder);
  printed.length = 0;
  service = new Supervised('service', startGreeter, (line) => printed.push(line));
});
afterEach(async () => {
  service.disableRestart();
  await children.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startGreeter(extra: NodeJS.ProcessEnv): Promise<Child> {
  const before = notes().length;
  const child = children.start({
    name: 'service',
    command: process.execPath,
    args: ['-e', CODE],
    env: { ...process.env, NOTES: join(folder, 'notes'), GREETING: 'usual', ...extra },
    logFile: join(folder, 'log'),
  });
  await eventually('it has greeted', async () => notes().length > before);
  return child;
}

function notes(): string[] {
  const file = join(folder, 'notes');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
}

test('a process that ends unexpectedly is restarted', async () => {
  await service.start();
  const first = service.pid ?? 0;
  process.kill(first, 'SIGKILL');
  await eventually('another runs', async () => service.pid !== undefined && service.pid !== first);
  expect(printed).toEqual(['service ended (SIGKILL); starting it again in 0.2 s']);
});

test('the pause before a restart doubles after each end, and a start resets it', async () => {
  await service.start();
  for (const ends of [1, 2]) {
    process.kill(service.pid ?? 0, 'SIGKILL');
    await eventually('another runs', async () => notes().length === ends + 1 && service.pid !== undefined);
  }
  await service.restart();
  process.kill(service.pid ?? 0, 'SIGKILL');
  await eventually('another runs', async () => notes().length === 5 && service.pid !== undefined);
  expect(printed.map((line) => line.replace(/^.* in /, ''))).toEqual(['0.2 s', '0.4 s', '0.2 s']);
});

test('a setting for one run does not apply after a crash of that run', async () => {
  await service.start({ GREETING: 'crash' });
  await eventually('it runs as usual', async () => notes().length === 2);
  expect(notes()).toEqual(['crash', 'usual']);
});

test('a process with a fault is restarted, and one without is not', async () => {
  let fault: string | null = null;
  const withFaults = new Supervised(
    'service',
    startGreeter,
    (line) => printed.push(line),
    async () => fault,
  );
  await withFaults.start();
  const { pid } = withFaults;
  await sleep(6_000);
  expect(withFaults.pid).toBe(pid);
  fault = 'it does not write';
  await eventually('another runs', async () => withFaults.pid !== undefined && withFaults.pid !== pid);
  fault = null;
  expect(printed).toEqual([
    'service must be restarted: it does not write',
    'service ended (SIGTERM); starting it again in 0.2 s',
  ]);
  withFaults.disableRestart();
});

test('a process that was stopped or killed is not restarted automatically', async () => {
  await service.start();
  await service.stop();
  expect(service.pid).toBeUndefined();
  await service.start();
  await service.kill();
  await sleep(500);
  expect(service.pid).toBeUndefined();
  await service.start();
  expect(service.pid).toBeDefined();
  expect(printed).toEqual([]);
});

test.each([
  ['does not respond in time', async () => false, /did not respond within 0\.3 seconds/],
  ['can not become ready', () => Promise.reject(new Error('wrong password')), /wrong password/],
])('a process that %s is stopped, so that its restart can use the same port', async (_, isReady, message) => {
  const started: Child[] = [];
  let isBroken = false;
  const start = async () => {
    const child = children.start({
      name: 'service',
      command: process.execPath,
      args: ['-e', 'setInterval(() => undefined, 1000)'],
      logFile: join(folder, 'log'),
    });
    started.push(child);
    await waitUntilReady(child, join(folder, 'log'), isBroken ? isReady : async () => true, 300);
    return child;
  };
  service = new Supervised('service', start, (line) => printed.push(line));
  await service.start();
  isBroken = true;
  process.kill(service.pid ?? 0, 'SIGKILL');
  await eventually('two restarts have failed', async () => started.length >= 4);
  isBroken = false;
  await eventually('it runs again', async () => service.pid !== undefined);
  expect(printed).toEqual([
    expect.stringMatching(/^service ended/),
    expect.stringMatching(message),
    expect.stringMatching(/^service runs again; failed starts: \d+$/),
  ]);
  expect(started.filter((child) => child.running()).map(({ pid }) => pid)).toEqual([service.pid]);
});

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Children } from './children';
import { Supervised } from './supervised';
import { eventually } from './testing';

let folder: string;
let children: Children;
let service: Supervised;
const told: string[] = [];

/** Notes its greeting, and ends at once where it is told to. */
const CODE = `require('node:fs').appendFileSync(process.env.NOTES, process.env.GREETING + ' ');
  if (process.env.GREETING === 'dies') process.exit(3);
  setInterval(() => undefined, 1000);`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-supervised-'));
  children = new Children(folder);
  told.length = 0;
  service = new Supervised(
    'service',
    async (extra) => {
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
    },
    (line) => told.push(line),
  );
});
afterEach(async () => {
  service.letGo();
  await children.close();
  rmSync(folder, { recursive: true, force: true });
});

function notes(): string[] {
  const file = join(folder, 'notes');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
}

test('a process that ends unasked is started again', async () => {
  await service.start();
  const first = service.pid ?? 0;
  process.kill(first, 'SIGKILL');
  await eventually('another runs', async () => service.pid !== undefined && service.pid !== first);
  expect(told).toEqual(['service ended (SIGKILL); starting it again']);
});

test('a setting for one run is gone after the crash that it causes', async () => {
  await service.start({ GREETING: 'dies' });
  await eventually('it runs as usual', async () => notes().length === 2);
  expect(notes()).toEqual(['dies', 'usual']);
});

test('a process that is stopped or killed stays down until it is started again', async () => {
  await service.start();
  await service.stop();
  expect(service.pid).toBeUndefined();
  await service.start();
  await service.kill();
  await sleep(500);
  expect(service.pid).toBeUndefined();
  await service.start();
  expect(service.pid).toBeDefined();
  expect(told).toEqual([]);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTime } from '../process/identity.cjs';
import { freePort } from './ports';
import {
  ADMIN_ROLE,
  databaseUrl,
  ensureDatabase,
  initCluster,
  startPostgres,
  withConnection,
} from './postgres';
import { createRunFolder, type RunFolder } from './run-folder';

let run: RunFolder;
let port: number;
let other: ChildProcess | undefined;
beforeAll(async () => {
  run = await createRunFolder();
  port = await freePort();
  await initCluster(dataFolder(), { auth: 'scram-sha-256', password: 'a secret' });
});
afterAll(() => run.children.close());
afterEach(() => other?.kill());

const dataFolder = () => join(run.path, 'data');
const start = () =>
  startPostgres({
    children: run.children,
    dataFolder: dataFolder(),
    logFile: join(run.path, 'log'),
    port,
    password: 'a secret',
    settings: {},
  });
const url = (database: string, password = 'a secret') =>
  databaseUrl({ port, role: ADMIN_ROLE, password, database });

test('a killed server has all committed data after its restart', async () => {
  const server = await start();
  await ensureDatabase(url(ADMIN_ROLE), 'kept');
  await ensureDatabase(url(ADMIN_ROLE), 'kept');
  await withConnection(url('kept'), (client) => client.query('create table facts as select 1 as fact'));
  await server.kill();

  // The killed server left a PID file. The test writes the ID of another process into it, as if that process reused the server's ID.
  other = spawn('sleep', ['60']);
  const pidFile = join(dataFolder(), 'postmaster.pid');
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
  writeFileSync(pidFile, [String(other.pid), ...rest].join('\n'));

  const again = await start();
  const { rows } = await withConnection(url('kept'), (client) => client.query('select fact from facts'));
  expect(rows).toHaveLength(1);
  expect(startTime(other.pid ?? 0)).toBeDefined();
  await again.stop();
});

test('a server shares memory only in its data folder, so that nothing of a killed one is left when the folder is deleted', async () => {
  const server = await start();
  const mapped = readFileSync(`/proc/${server.pid}/maps`, 'utf8');
  expect(mapped).toContain('pg_dynshmem/');
  expect(mapped).not.toContain('/dev/shm/PostgreSQL');
  await server.stop();
});

test('a server that still runs on the data folder is stopped before the next one starts', async () => {
  const running = await start();
  const next = await start();
  expect(running.running()).toBe(false);
  await next.stop();
});

test('databases are created at the same time, and none is open to all roles', async () => {
  const server = await start();
  for (let round = 0; round < 5; round++) {
    const names = Array.from({ length: 4 }, (_, index) => `database_${round}_${index}`);
    await Promise.all(names.map((name) => ensureDatabase(url(ADMIN_ROLE), name)));
  }
  const { rows } = await withConnection(url(ADMIN_ROLE), (client) =>
    client.query(`
      select datname from pg_database, aclexplode(datacl) as granted
      where datname <> 'template0' and grantee = 0`),
  );
  expect(rows).toEqual([]);
  await server.stop();
});

test('a connection without the password is rejected', async () => {
  const server = await start();
  const intrusion = withConnection(url(ADMIN_ROLE, 'a guess'), (client) => client.query('select 1'));
  await expect(intrusion).rejects.toThrow(/password authentication failed/);
  await server.stop();
});

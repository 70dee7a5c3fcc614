import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectStream, ensureStream, startRelay } from '@carecover/events';
import {
  connectPostgres,
  constantText,
  listenForNotifications,
  postgresDependency,
  type Sql,
} from '@carecover/postgres';
import {
  createProcessLog,
  Outages,
  startSweeper,
  stopOutageProbes,
  watchDependency,
} from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import {
  createTestDatabase,
  eventually,
  mountSmallDisk,
  startTestNats,
  startTestPostgres,
  type TestDatabase,
  type TestNats,
  type TestServer,
} from '@carecover/testing/servers';
import { SERVICE_SECRET, signerOf, TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { serviceCaller } from './authority';
import { CONTEXT_HEADER } from './context';
import { createServiceApp, startHttpServer } from './service-server';

const CLIENTS = 20;
const PATHS = { GET: 'read', POST: 'write' } as const;
/** A payload of which PostgreSQL needs a page per row, because it can't be compressed. */
const LARGE_PAYLOAD = JSON.stringify(randomBytes(3_000).toString('base64'));
const WARNING = 40;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
  readonly errors?: number;
  readonly seconds?: number;
  readonly lines?: Record<string, number>;
}

let postgres: TestServer & { readonly cluster: string };
let nats: TestNats;
let database: TestDatabase;
let sql: Sql;
let log: Log;
let written: Line[];

beforeAll(async () => {
  [postgres, nats] = await Promise.all([startTestPostgres(), startTestNats()]);
  const stream = await connectStream(nats.access('webhooks'), 'test');
  await ensureStream(stream);
  await stream.close();
  database = await createTestDatabase({ services: ['claims'], cluster: postgres.cluster });
});
beforeEach(() => {
  written = [];
  log = createProcessLog('claims', 'info', { write: (line) => written.push(JSON.parse(line)) });
  sql = connectPostgres(database.url('claims'), 5, 'test');
});
afterEach(async () => {
  stopOutageProbes(log);
  await sql.end({ timeoutMs: 1_000 });
});
afterAll(() => Promise.all([postgres.stop(), nats.stop()]));

const warnings = () => written.filter(({ level }) => level >= WARNING);

/**
 * Starts clients that repeat a request whose handler reads the database or writes to it. `statuses` counts the responses by HTTP status.
 */
async function startClients(method: 'GET' | 'POST' = 'GET') {
  const app = createServiceApp({
    service: 'claims',
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: SERVICE_SECRET,
    log,
    ready: async () => undefined,
    handlers: {},
    internal: [
      {
        method: 'GET',
        path: '/read',
        caller: 'payments',
        handle: async () => sql`select count(*) from commands`,
      },
      {
        method: 'POST',
        path: '/write',
        caller: 'payments',
        handle: async () =>
          sql`insert into outbox (event_id, project_id, resource_id, type, payload)
            values (${crypto.randomUUID()}, 'prj_1', 'clm_1', 'claim.submitted', ${LARGE_PAYLOAD})`,
      },
    ],
  });
  const server = await startHttpServer(app, '127.0.0.1', 0);
  const caller = serviceCaller('prj_one', 'sandbox', 'payments', 'req_1');
  const headers = { [CONTEXT_HEADER]: signerOf('payments').sign(caller, 'claims') };
  const statuses = new Map<number, number>();
  let stopped = false;
  const done = Array.from({ length: CLIENTS }, async () => {
    while (!stopped) {
      const response = await fetch(`http://127.0.0.1:${server.port}/internal/${PATHS[method]}`, {
        method,
        headers,
      });
      if (response.status === 503) expect(response.headers.get('retry-after')).toBe('1');
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      await sleep(10);
    }
  });
  return {
    statuses,
    async stop() {
      stopped = true;
      await Promise.all(done);
      await server.close();
    },
  };
}

test('a restart of PostgreSQL under load is logged once at its start and once at its end, with counts', async () => {
  watchDependency(log, { ...postgresDependency(sql), quietMs: 2_000 });
  const clients = await startClients();
  const sweep = async () => {
    await sql`select 1`;
  };
  const parts = [
    startSweeper([{ name: 'test', run: sweep }], 20, log),
    listenForNotifications(sql, 'test', () => undefined, log),
    startRelay({ service: 'claims', databaseUrl: database.url('claims'), nats: nats.access('claims'), log }),
  ];
  try {
    await eventually('reads succeed', async () => (clients.statuses.get(200) ?? 0) > 10);
    await postgres.kill();
    await eventually('clients receive 503', async () => (clients.statuses.get(503) ?? 0) > 100);
    await postgres.restart();
    await eventually('the end of the outage is logged', async () => warnings().length > 1);
  } finally {
    await clients.stop();
    await Promise.all(parts.map((part) => part.stop()));
  }
  expect([...clients.statuses.keys()].sort()).toEqual([200, 503]);
  const [start, end, ...others] = warnings();
  expect(start).toMatchObject({ level: 50, msg: 'PostgreSQL is unavailable', dependency: 'PostgreSQL' });
  expect(end).toMatchObject({ msg: 'PostgreSQL is available again', dependency: 'PostgreSQL' });
  expect(others).toEqual([]);
  expect(end?.errors).toBeGreaterThan(100);
  expect(end?.lines?.['internal error']).toBeGreaterThanOrEqual(clients.statuses.get(503) ?? Number.NaN);
  expect(Object.keys(end?.lines ?? {})).toEqual(
    expect.arrayContaining(['a sweep failed and will run again']),
  );
});

test('a full disk is answered 503 and logged once, and writes succeed again when space is free', async () => {
  const disk = await mountSmallDisk(8_000_000);
  const admin = connectPostgres(database.adminUrl, 1, 'test');
  const folder = await disk.createDatabaseFolder('tablespace');
  await admin`create tablespace small location ${constantText(`'${folder}'`)}`;
  await admin`alter table claims.outbox set tablespace small`;
  watchDependency(log, { ...postgresDependency(sql), quietMs: 2_000 });
  await disk.fill();
  const clients = await startClients('POST');
  try {
    await eventually('clients receive 503', async () => (clients.statuses.get(503) ?? 0) > 100);
    await disk.empty();
    const written = clients.statuses.get(200) ?? 0;
    await eventually('writes succeed', async () => (clients.statuses.get(200) ?? 0) > written + 10);
    await clients.stop();
    await eventually('the end of the outage is logged', async () => warnings().length > 1);
  } finally {
    await clients.stop();
    await disk.empty();
    await admin`truncate claims.outbox`;
    await admin`alter table claims.outbox set tablespace pg_default`;
    await admin`drop tablespace small`;
    await admin.end();
    await disk.unmount();
  }
  expect([...clients.statuses.keys()].sort()).toEqual([200, 503]);
  expect(warnings().map(({ msg }) => msg)).toEqual([
    'PostgreSQL is unavailable',
    'PostgreSQL is available again',
  ]);
  expect(warnings()[0]?.reason).toContain('No space left on device');
});

test('an outage of NATS is logged once at its start and once at its end', async () => {
  const relay = startRelay({
    service: 'claims',
    databaseUrl: database.url('claims'),
    nats: nats.access('claims'),
    log,
  });
  try {
    await eventually('the relay runs', async () => written.some(({ msg }) => msg === 'relay started'));
    await nats.kill();
    for (let second = 0; second < 4; second++) {
      await sql`insert into outbox (event_id, project_id, resource_id, type, payload)
                values (${`evt_${second}`}, 'prj_1', 'clm_1', 'claim.submitted', '{}')`;
      await sleep(1_000);
    }
    await eventually('the outage is logged', async () => warnings().length > 0);
    await nats.restart();
    await eventually('the outbox is empty', async () => (await sql`select 1 from outbox`).length === 0);
    await eventually('the end of the outage is logged', async () => warnings().length > 1);
  } finally {
    await relay.stop();
  }
  expect(warnings().map(({ msg }) => msg)).toEqual(['NATS is unavailable', 'NATS is available again']);
});

test('lines about other errors, statement timeouts and other servers are not suppressed', async () => {
  watchDependency(log, postgresDependency(sql));
  const wrong = await sql`select nothing from nowhere`.catch((error: unknown) => error);
  const slow = await sql
    .begin(async (tx) => {
      await tx`set local statement_timeout = 1`;
      await tx`select pg_sleep(1)`;
    })
    .catch((error: unknown) => error);
  const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (const err of [wrong, slow, unreachable]) log.error({ err }, 'a message');
  expect(warnings().map(({ msg }) => msg)).toEqual(['a message', 'a message', 'a message']);
});

test('errors that are logged after the server responded again belong to the outage', async () => {
  const outages = new Outages();
  const isUnavailable = ({ message }: Error) => message === 'unavailable';
  outages.watch({ name: 'Server', isUnavailable, probe: async () => undefined });
  const line = { err: new Error('a step failed', { cause: new Error('unavailable') }) };
  for (let time = 0; time < 5; time++) {
    expect(outages.suppresses(log, WARNING, line, 'a message')).toBe(true);
    await sleep(500);
  }
  await eventually('the end of the outage is logged', async () => warnings().length > 1);
  expect(warnings().map(({ msg, errors }) => [msg, errors])).toEqual([
    ['Server is unavailable', undefined],
    ['Server is available again', 5],
  ]);
  outages.stop();
});

test('errors that follow one another within the quiet time of a server belong to one outage', async () => {
  const outages = new Outages();
  const [isUnavailable, probe] = [() => true, async () => undefined];
  outages.watch({ name: 'Server', isUnavailable, probe, quietMs: 3_000 });
  for (let time = 0; time < 3; time++) {
    outages.suppresses(log, WARNING, { err: new Error('the disk is full') }, 'a message');
    await sleep(2_000);
  }
  await eventually('the end of the outage is logged', async () => warnings().length > 1);
  expect(warnings().map(({ msg, errors, seconds }) => [msg, errors, seconds])).toEqual([
    ['Server is unavailable', undefined, undefined],
    ['Server is available again', 3, 4],
  ]);
  outages.stop();
});

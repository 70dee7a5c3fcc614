import { setTimeout as sleep } from 'node:timers/promises';
import {
  createTestDatabase,
  eventually,
  startTestNats,
  startTestPostgres,
  type TestDatabase,
  type TestNats,
  type TestServer,
} from '@carecover/local/testing';
import { serviceCaller } from './authority';
import { CONTEXT_HEADER } from './context';
import type { Log } from './log';
import { listenForNotifications } from './notifications';
import { createProcessLog, Outages, stopOutageProbes, watchDependency } from './outages';
import { connectPostgres, postgresDependency, type Sql } from './postgres';
import { startRelay } from './relay';
import { createServiceApp, startHttpServer } from './service-server';
import { connectStream, ensureStream } from './stream';
import { startSweeper } from './sweeper';
import { SERVICE_SECRET, signerOf, TEST_ISSUER_KEYS } from './testing';

const CLIENTS = 20;
const WARNING = 40;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly errors?: number;
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

/** Starts clients that repeat a request whose handler reads the database. `statuses` counts the responses by HTTP status. */
async function startClients() {
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
        handle: () => sql`select count(*) from commands`.execute(),
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
      const { status } = await fetch(`http://127.0.0.1:${server.port}/internal/read`, { headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
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
  watchDependency(log, postgresDependency(sql));
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

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
import { CONTEXT_HEADER, serviceCaller, signContext } from './context';
import type { Log } from './log';
import { startNotifications } from './notifications';
import { createGatheringLog, Outages, stopGathering, watchDependency } from './outages';
import { connectPostgres, postgresDependency, type Sql } from './postgres';
import { startRelay } from './relay';
import { createServiceApp, listen } from './service-server';
import { connectStream, ensureStream } from './stream';
import { startSweeper } from './sweeper';

const contextSecret = 'a secret of more than thirty-two characters';
const CALLERS = 20;
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
  log = createGatheringLog('claims', 'info', { write: (line) => written.push(JSON.parse(line)) });
  sql = connectPostgres(database.url('claims'), 5, 'test');
});
afterEach(async () => {
  stopGathering(log);
  await sql.end({ timeout: 1 });
});
afterAll(() => Promise.all([postgres.stop(), nats.stop()]));

const warnings = () => written.filter(({ level }) => level >= WARNING);

/** Callers of a route that reads the database, until told to stop; gives how often each status was answered. */
async function startCallers() {
  const app = createServiceApp({
    service: 'claims',
    contextSecret,
    hashSecret: contextSecret,
    log,
    ready: async () => undefined,
    handlers: {},
    internal: [
      { method: 'GET', path: '/read', caller: 'benefits', handle: () => sql`select count(*) from commands` },
    ],
  });
  const server = await listen(app, '127.0.0.1', 0);
  const caller = serviceCaller('prj_one', 'sandbox', 'benefits', 'req_1');
  const headers = { [CONTEXT_HEADER]: signContext(caller, contextSecret) };
  const statuses = new Map<number, number>();
  let stopped = false;
  const done = Array.from({ length: CALLERS }, async () => {
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

test('PostgreSQL restarting under load, beside loops, is one line when it goes and one when it is back, with counts', async () => {
  watchDependency(log, postgresDependency(sql));
  const callers = await startCallers();
  const sweep = async () => {
    await sql`select 1`;
  };
  const parts = [
    startSweeper([{ name: 'test', run: sweep }], 20, log),
    startNotifications(sql, 'test', () => undefined, log),
    startRelay({ service: 'claims', databaseUrl: database.url('claims'), nats: nats.access('claims'), log }),
  ];
  try {
    await eventually('reads are answered', async () => (callers.statuses.get(200) ?? 0) > 10);
    await postgres.kill();
    await eventually('callers are answered 503', async () => (callers.statuses.get(503) ?? 0) > 100);
    await postgres.restart();
    await eventually('it is back', async () => warnings().length > 1);
  } finally {
    await callers.stop();
    await Promise.all(parts.map((part) => part.stop()));
  }
  expect([...callers.statuses.keys()].sort()).toEqual([200, 503]);
  const [away, back, ...others] = warnings();
  expect(away).toMatchObject({ level: 50, msg: 'PostgreSQL is away', dependency: 'PostgreSQL' });
  expect(back).toMatchObject({ msg: 'PostgreSQL is back', dependency: 'PostgreSQL' });
  expect(others).toEqual([]);
  expect(back?.errors).toBeGreaterThan(100);
  expect(back?.lines?.fault).toBeGreaterThanOrEqual(callers.statuses.get(503) ?? Number.NaN);
  expect(Object.keys(back?.lines ?? {})).toEqual(expect.arrayContaining(['sweep failed, comes again']));
});

test('NATS going away is one line, and one when it is back', async () => {
  const relay = startRelay({
    service: 'claims',
    databaseUrl: database.url('claims'),
    nats: nats.access('claims'),
    log,
  });
  try {
    await eventually('it relays', async () => written.some(({ msg }) => msg === 'relay active'));
    await nats.kill();
    for (let second = 0; second < 4; second++) {
      await sql`insert into outbox (event_id, project_id, resource_id, type, payload)
                values (${`evt_${second}`}, 'prj_1', 'clm_1', 'claim.submitted', '{}')`;
      await sleep(1_000);
    }
    await eventually('it is noticed', async () => warnings().length > 0);
    await nats.restart();
    await eventually('the outbox is empty', async () => (await sql`select 1 from outbox`).length === 0);
    await eventually('it is back', async () => warnings().length > 1);
  } finally {
    await relay.stop();
  }
  expect(warnings().map(({ msg }) => msg)).toEqual(['NATS is away', 'NATS is back']);
});

test('what is no outage is written as before: other errors, a statement that took too long, another server', async () => {
  watchDependency(log, postgresDependency(sql));
  const wrong = await sql`select nothing from nowhere`.catch((error: unknown) => error);
  const slow = await sql
    .begin((tx) => [tx`set local statement_timeout = 1`, tx`select pg_sleep(1)`])
    .catch((error: unknown) => error);
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (const err of [wrong, slow, refused]) log.error({ err }, 'fault');
  expect(warnings().map(({ msg }) => msg)).toEqual(['fault', 'fault', 'fault']);
});

test('errors that come after the server answered again belong to the outage', async () => {
  const outages = new Outages();
  const isAway = ({ message }: Error) => message === 'away';
  outages.watch({ name: 'Server', isAway, probe: async () => undefined });
  const away = { err: new Error('a step failed', { cause: new Error('away') }) };
  for (let time = 0; time < 5; time++) {
    expect(outages.absorbs(log, WARNING, away, 'fault')).toBe(true);
    await sleep(500);
  }
  await eventually('it is back', async () => warnings().length > 1);
  expect(warnings().map(({ msg, errors }) => [msg, errors])).toEqual([
    ['Server is away', undefined],
    ['Server is back', 5],
  ]);
  outages.stop();
});

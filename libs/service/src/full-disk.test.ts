/** A relay while NATS can't write, such as on a full disk. The stack, the containers and Kubernetes restart such a server when it has space. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, storedTenant } from '@carecover/domain';
import {
  appendEvent,
  connectStream,
  ensureStream,
  STREAM,
  startRelay,
  streamManager,
} from '@carecover/events';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createProcessLog, stopOutageProbes } from '@carecover/process';
import {
  createTestDatabase,
  eventually,
  type LimitedFiles,
  limitFiles,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@carecover/testing/servers';

/** The largest file that NATS can write while "the disk is full", in blocks of 512 bytes: enough for its own files and a few events. */
const FULL_BLOCKS = 100;
const EVENTS = 171;
const WARNING = 40;

let nats: TestNats;
let files: LimitedFiles;
let database: TestDatabase;
let sql: Sql;
const written: { level: number; msg: string }[] = [];
const log = createProcessLog('claims', 'info', { write: (line) => written.push(JSON.parse(line)) });

beforeAll(async () => {
  nats = await startTestNats(async (folder, executable) => {
    files ??= await limitFiles(folder, executable);
    return files.executable;
  });
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 4, 'test');
});
afterAll(async () => {
  stopOutageProbes(log);
  await sql?.end();
  await Promise.all([database?.drop(), nats?.stop()]);
});

async function emit(resourceId: string, resourceVersion: number): Promise<string> {
  return sql.begin((tx) =>
    appendEvent(tx, {
      ...{ tenant: storedTenant('prj_1'), environment: 'sandbox', type: 'claim.submitted' },
      ...{ resourceId, resourceVersion, createdAt: new Date(), data: { text: 'x'.repeat(2_000) } },
    }),
  );
}

async function countWaiting(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from outbox`;
  return row?.n ?? 0;
}

/** Reads the IDs of the events on the stream, in the order in which they were published. */
async function streamedIds(): Promise<string[]> {
  const stream = await connectStream(nats.access('operator'), 'test');
  const { streams } = await streamManager(stream);
  const { state } = await streams.info(STREAM);
  const ids: string[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const message = await streams.getMessage(STREAM, { seq });
    if (message !== null) ids.push(JSON.parse(message.json<{ payload: string }>().payload).id);
  }
  await stream.close();
  return ids;
}

test('events wait while NATS can not write, with one line in the log, and are published once and in order after its restart', async () => {
  await files.limit(FULL_BLOCKS);
  await nats.restart();
  const stream = await connectStream(nats.access('webhooks'), 'test');
  await ensureStream(stream);
  await stream.close();
  const relay = startRelay({
    service: 'claims',
    databaseUrl: database.url('claims'),
    nats: nats.access('claims'),
    log,
  });
  const resource = newId('clm_');
  const ids: string[] = [];
  for (let version = 1; version <= EVENTS; version++) ids.push(await emit(resource, version));
  const warnings = () => written.filter(({ level }) => level >= WARNING).map(({ msg }) => msg);
  await eventually('the relay fails', async () => warnings().length > 0);
  // The relay fails once per attempt to publish, and NATS accepts each of its connections meanwhile.
  await sleep(14_000);
  expect(warnings()).toEqual(['NATS is unavailable']);
  expect(await countWaiting()).toBeGreaterThan(0);

  await files.limit('unlimited');
  await nats.restart();
  await eventually('the outbox is empty', async () => (await countWaiting()) === 0);
  expect(await streamedIds()).toEqual(ids);
  await eventually('the end of the outage is logged', async () => warnings().length > 1);
  expect(warnings()).toEqual(['NATS is unavailable', 'NATS is available again']);
  await relay.stop();
});

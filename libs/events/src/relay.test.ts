import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type NewEvent, newId, storedTenant } from '@carecover/domain';
import { connectPostgres, isDatabaseUnavailable, type Sql } from '@carecover/postgres';
import type { Stoppable } from '@carecover/process';
import { createLog, metricsRegistry } from '@carecover/telemetry';
import {
  createTestDatabase,
  eventually,
  startTestNats,
  startTestPostgres,
  type TestDatabase,
  type TestNats,
  type TestServer,
  testSize,
} from '@carecover/testing/servers';
import { countSentDuring } from '@carecover/testing/services';
import type { JetStreamManager } from '@nats-io/jetstream';
import { listDeadLetteredEvents, republishDeadLetteredEvent } from './dead-lettered-events';
import { appendEvent } from './outbox';
import { startRelay } from './relay';
import { connectStream, ensureStream, STREAM, STREAM_SETTINGS, streamManager } from './stream';

let postgres: TestServer & { readonly cluster: string };
let nats: TestNats;
let database: TestDatabase;
let sql: Sql;
const relays: Stoppable[] = [];

beforeAll(async () => {
  [postgres, nats] = await Promise.all([startTestPostgres(), startTestNats()]);
  database = await createTestDatabase({ services: ['claims'], cluster: postgres.cluster });
  sql = connectPostgres(database.url('claims'), 4, 'test');
  await createStream();
});

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
});

afterAll(async () => {
  await sql?.end();
  await Promise.all([postgres?.stop(), nats?.stop()]);
});

function relay(log = createLog('claims', 'silent')): void {
  relays.push(
    startRelay({ service: 'claims', databaseUrl: database.url('claims'), nats: nats.access('claims'), log }),
  );
}

const newEvent = (resourceId: string, resourceVersion: number): NewEvent => ({
  tenant: storedTenant('prj_1'),
  environment: 'sandbox',
  type: 'claim.submitted',
  resourceId,
  resourceVersion,
  createdAt: new Date(),
  data: {},
});

/** Commits one event. Retries the commit while the database is unavailable, as a client does. */
async function emit(resourceId: string, version: number): Promise<string> {
  for (;;) {
    try {
      return await sql.begin((tx) => appendEvent(tx, newEvent(resourceId, version)));
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await sleep(100);
    }
  }
}

/** Commits an event without the notification after which the relay publishes it, as a process that ends after the commit. */
async function emitSilently(): Promise<string> {
  return sql.begin((tx) =>
    appendEvent(Object.assign(tx, { notifyAfterCommit: () => undefined }), newEvent(newId('clm_'), 1)),
  );
}

const IDLE_MS = testSize({ ci: 15_000, soak: 30_000 });

/** Calls `work` with a connection to the stream that has the operator's permissions. */
async function withStream<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const stream = await connectStream(nats.access('operator'), 'test');
  try {
    return await work(await streamManager(stream));
  } finally {
    await stream.close();
  }
}

/** Creates the stream, as the webhooks service does when it starts and when the stream was lost. */
async function createStream(): Promise<void> {
  const stream = await connectStream(nats.access('webhooks'), 'test');
  await ensureStream(stream);
  await stream.close();
}

/** Reads all messages of the stream, in the order in which they were published. Returns the resource, the version and the ID of each message. */
function streamed(): Promise<{ resource: string; version: number; id: string }[]> {
  return withStream(async (manager) => {
    const { state } = await manager.streams.info(STREAM);
    const messages: { resource: string; version: number; id: string }[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 200) {
      const numbers = Array.from(
        { length: Math.min(200, state.last_seq - seq + 1) },
        (_, index) => seq + index,
      );
      const found = await Promise.all(
        numbers.map((number) => manager.streams.getMessage(STREAM, { seq: number })),
      );
      for (const message of found) {
        if (message === null) continue;
        const { resource_id, payload } = message.json<{ resource_id: string; payload: string }>();
        const { id, resource_version } = JSON.parse(payload);
        messages.push({ resource: resource_id, version: resource_version, id });
      }
    }
    return messages;
  });
}

function untilDrained(): Promise<true> {
  return eventually('the outbox is empty', async () => {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from outbox`.catch((error) => {
      if (isDatabaseUnavailable(error)) return [];
      throw error;
    });
    return row?.n === 0;
  });
}

function untilStreamed(ids: readonly string[]): Promise<true> {
  return eventually('the stream has them', async () => {
    const there = new Set((await streamed().catch(() => [])).map(({ id }) => id));
    return ids.every((id) => there.has(id));
  });
}

/** Expects that the stream has each of `ids` once, and that the versions of each resource ascend. */
async function expectAllOnceInOrder(ids: readonly string[], resources: readonly string[]): Promise<void> {
  const all = (await streamed()).filter(({ resource }) => resources.includes(resource));
  expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expectAscending(all, resources);
}

function expectAscending(all: Awaited<ReturnType<typeof streamed>>, resources: readonly string[]): void {
  for (const resource of resources) {
    const versions = all.filter((message) => message.resource === resource).map(({ version }) => version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  }
}

async function emitMany(resources: readonly string[], versions: number, first = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let version = first; version < first + versions; version++) {
    ids.push(...(await Promise.all(resources.map((resource) => emit(resource, version)))));
  }
  return ids;
}

const someResources = (count: number): string[] => Array.from({ length: count }, () => newId('clm_'));

test('events that were committed before the start of the relay and while it runs are published in order', async () => {
  const resources = someResources(5);
  const before = await emitMany(resources, 30);
  relay();
  const during = await emitMany(resources, 30, 31);
  await untilDrained();
  await expectAllOnceInOrder([...before, ...during], resources);
});

test("two concurrent relays publish each event once, in each resource's order", async () => {
  relay();
  relay();
  const resources = someResources(8);
  const ids = await emitMany(resources, 40);
  await untilDrained();
  await expectAllOnceInOrder(ids, resources);
});

test('events wait while NATS is unavailable; after a crash of NATS they are published once, in order', async () => {
  relay();
  const resources = someResources(6);
  const emitting = emitMany(resources, 30);
  await nats.kill();
  const ids = [...(await emitting), ...(await emitMany(resources, 30, 31))];
  const [waiting] = await sql<{ n: number }[]>`select count(*)::int as n from outbox`;
  expect(waiting?.n).toBeGreaterThan(0);
  await nats.restart();
  await untilDrained();
  await expectAllOnceInOrder(ids, resources);
});

test('after a crash of PostgreSQL, committed events are published in order', async () => {
  relay();
  relay();
  const resources = someResources(6);
  const emitting = emitMany(resources, 40);
  await postgres.kill();
  await postgres.restart();
  const ids = await emitting;
  await untilDrained();
  // `emit` repeats a commit whose response was lost. If that commit had succeeded, the stream has its event in addition to the events in
  // `ids`.
  const all = await streamed();
  const seen = new Set(all.map(({ id }) => id));
  for (const id of ids) expect(seen.has(id)).toBe(true);
  expectAscending(all, resources);
});

test('a relay whose session was terminated does not block another relay', async () => {
  relay();
  relay();
  const resources = someResources(4);
  const emitting = emitMany(resources, 50);
  for (let round = 0; round < 5; round++) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'claims-relay'`;
    await sleep(50);
  }
  const ids = await emitting;
  await untilDrained();
  await expectAllOnceInOrder(ids, resources);
});

test('an event that the stream always rejects is dead-lettered, later events of its resource are published, and an operator can publish it again', async () => {
  const resource = newId('clm_');
  const eventId = newId('evt_');
  const payloadOf = (filler: string) => JSON.stringify({ id: eventId, resource_version: 1, filler });
  await sql`
    insert into outbox (event_id, project_id, resource_id, type, payload)
    values (${eventId}, 'prj_1', ${resource}, 'claim.submitted', ${payloadOf('x'.repeat(2 * 1024 * 1024))})`;
  relay();
  const later = await emit(resource, 2);
  const untilDeadLettered = () =>
    eventually('it is dead-lettered', async () => (await listDeadLetteredEvents(sql, null)).length === 1);
  await untilDeadLettered();
  await untilStreamed([later]);
  expect(await listDeadLetteredEvents(sql, null)).toMatchObject([
    { event_id: eventId, resource_id: resource, reason: expect.stringContaining('max_payload') },
  ]);
  expect((await streamed()).map(({ id }) => id)).not.toContain(eventId);

  // An event that is published again unchanged is dead-lettered again. An event whose payload was repaired is published.
  await sql.begin((tx) => republishDeadLetteredEvent(tx, eventId));
  await untilDeadLettered();
  await sql`update outbox set payload = ${payloadOf('')} where event_id = ${eventId}`;
  await sql.begin((tx) => republishDeadLetteredEvent(tx, eventId));
  await untilDrained();
  expect((await streamed()).map(({ id }) => id)).toContain(eventId);
});

/** Removes every message from the stream, as the webhooks service does. */
const takeAll = () => withStream((manager) => manager.streams.purge(STREAM));

async function kept(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from published_events`;
  return row?.n ?? 0;
}

test('events that were lost with the stream are published again, in order, before newer events', async () => {
  const lines: string[] = [];
  relay(createLog('claims', 'warn', { write: (line) => void lines.push(line) }));
  const resources = someResources(3);
  const before = await emitMany(resources, 4);
  await untilDrained();
  await withStream((manager) => manager.streams.delete(STREAM));
  const next = await Promise.all(resources.map((resource) => emit(resource, 5)));
  await eventually('the relay misses it', async () =>
    lines.some((line) => line.includes('the event stream does not exist yet')),
  );
  await createStream();
  const all = [...before, ...next];
  await untilStreamed(all);
  await expectAllOnceInOrder(all, resources);
});

test('the copies of events that were removed from the stream are deleted, and not published again', async () => {
  const resources = someResources(2);
  relay();
  await emitMany(resources, 3);
  await untilDrained();
  await takeAll();
  await relays.pop()?.stop();
  relay();
  await eventually('none is kept', async () => (await kept()) === 0);
  await withStream((manager) => manager.streams.delete(STREAM));
  await createStream();
  const later = await emitMany(resources, 1);
  await untilDrained();
  await expectAllOnceInOrder(later, resources);
});

test("the stream's used space and its limit are metrics, which are absent while the relay has no connection", async () => {
  const read = async (name: string) => {
    const { values } = (await metricsRegistry.getSingleMetric(name)?.get()) ?? { values: [] };
    return values.map(({ labels, value }) => ({ ...labels, value: Number(value) }));
  };
  relay();
  await emitMany(someResources(3), 2);
  await untilDrained();
  await relays.pop()?.stop();
  expect(await read('carecover_stream_used_bytes')).toEqual([]);
  expect(await read('carecover_stream_limit_bytes')).toEqual([]);
  relay();
  const limit = [{ service: 'claims', value: STREAM_SETTINGS.max_bytes }];
  await eventually('the limit is a metric', async () =>
    isDeepStrictEqual(await read('carecover_stream_limit_bytes'), limit),
  );
  const { bytes } = (await withStream((manager) => manager.streams.info(STREAM))).state;
  expect(bytes).toBeGreaterThan(500);
  expect(await read('carecover_stream_used_bytes')).toEqual([{ service: 'claims', value: bytes }]);
});

test('an event whose notification was lost is published nevertheless, and an idle relay sends few statements', async () => {
  relay();
  const first = await emit(newId('clm_'), 1);
  await untilStreamed([first]);
  const silent = await emitSilently();
  await untilStreamed([silent]);

  await untilDrained();
  const perMinute = (await countSentDuring(() => sleep(IDLE_MS))) * (60_000 / IDLE_MS);
  // The limit for an idle service is 50 statements per minute. Its sweeps send most of them, so the limit for the relay is lower.
  expect(perMinute).toBeLessThanOrEqual(20);
});

import { storedTenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { appendEvent } from './outbox';
import { deleteStoredEvents, moveToPublished } from './published-events';

let database: TestDatabase;
let sql: Sql;
let deletions = 0;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 1, 'test', {
    listener: (text) => {
      if (text.includes('delete from published_events')) deletions += 1;
    },
  });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test('the copies of a long backlog are deleted in batches, and those that are still on the stream stay', async () => {
  await sql`
    insert into published_events (seq, event_id, project_id, resource_id, type, payload, created_at, stream, stream_seq)
    select n, 'evt_' || n, 'prj_1', 'clm_1', 'claim.settled', '{}', platform.now(), 'now', n from generate_series(1, 2500) n`;
  await deleteStoredEvents(sql, { stream: 'another', firstSeq: 3_000 });
  deletions = 0;
  await deleteStoredEvents(sql, { stream: 'now', firstSeq: 2_301 });
  expect(deletions).toBe(3);
  const [left] = await sql<{ count: number; first: number }[]>`
    select count(*)::int as count, min(stream_seq)::int as first from published_events`;
  expect(left).toEqual({ count: 200, first: 2_301 });
});

test('while one replica deletes copies, another one deletes none, and events are published without a wait', async () => {
  await sql`delete from published_events`;
  await sql`
    insert into published_events (seq, event_id, project_id, resource_id, type, payload, created_at, stream, stream_seq)
    select 100 + n, 'evt_' || n, 'prj_1', 'clm_1', 'claim.settled', '{}', platform.now(), 'now', n from generate_series(1, 5) n`;
  const replica = connectPostgres(database.url('claims'), 1, 'test');
  const position = { stream: 'now', firstSeq: 5 };
  await sql.begin(async (tx) => {
    expect(await deleteStoredEvents(tx, position, 3)).toBe(true);
    expect(await deleteStoredEvents(replica, position, 3)).toBe(false);
    await replica`
      insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_6', 'prj_1', 'clm_1', 'claim.settled', '{}')`;
    const [row] = await replica<{ seq: number }[]>`select seq from outbox`;
    await replica.begin((relay) => moveToPublished(relay, 'now', [{ seq: row?.seq ?? 0, streamSeq: 6 }]));
  });
  expect(await deleteStoredEvents(replica, position, 3)).toBe(true);
  await replica.end();
  expect(await sql`select stream_seq from published_events order by 1`).toEqual([
    { stream_seq: 5 },
    { stream_seq: 6 },
  ]);
});

test('the age of an event that waits is real, whatever the time of its fact', async () => {
  const createdAt = new Date('2022-01-01T00:00:00Z');
  const id = await sql.begin((tx) =>
    appendEvent(tx, {
      ...{ tenant: storedTenant('prj_1_sim'), environment: 'sandbox', type: 'claim.submitted' },
      ...{ resourceId: 'clm_1', resourceVersion: 1, createdAt, data: {} },
    }),
  );
  const [row] = await sql<{ is_new: boolean; payload: string }[]>`
    select created_at > platform.real_now() - interval '1 minute' as is_new, payload from outbox where event_id = ${id}`;
  expect(row?.is_new).toBe(true);
  expect(JSON.parse(row?.payload ?? '').created_at).toBe(createdAt.toISOString());
});

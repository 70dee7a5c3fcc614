import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, type Sql } from './postgres';
import { deleteStoredEvents } from './published-events';

let database: TestDatabase;
let sql: Sql;
let deletions = 0;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 1, 'test', (text) => {
    if (text.includes('delete from published')) deletions += 1;
  });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test('the copies of a long backlog are deleted in batches, and those that are still on the stream stay', async () => {
  await sql`
    insert into published (seq, event_id, project_id, resource_id, type, payload, created_at, stream, stream_seq)
    select n, 'evt_' || n, 'prj_1', 'clm_1', 'claim.settled', '{}', platform.now(), 'now', n from generate_series(1, 2500) n`;
  await deleteStoredEvents(sql, { stream: 'another', firstSeq: 3_000 });
  deletions = 0;
  await deleteStoredEvents(sql, { stream: 'now', firstSeq: 2_301 });
  expect(deletions).toBe(3);
  const [left] = await sql<{ count: number; first: number }[]>`
    select count(*)::int as count, min(stream_seq)::int as first from published`;
  expect(left).toEqual({ count: 200, first: 2_301 });
});

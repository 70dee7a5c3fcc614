import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { deleteOldCounts } from './admissions';

let database: TestDatabase;
let sql: Sql;
let replica: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['gateway'] });
  sql = connectPostgres(database.url('gateway'), 1, 'test');
  replica = connectPostgres(database.url('gateway'), 1, 'test');
});
afterAll(async () => {
  await Promise.all([sql?.end(), replica?.end()]);
  await database?.drop();
});

/** The instant from which the test counts minutes. The minute can end during the test. */
const startedAt = new Date();
const countRequest = (db: Sql, project: string, minutesAgo: number) => db`
  insert into request_counts as c (project_id, minute, used)
  values (${project}, date_trunc('minute', ${startedAt}::timestamptz) - ${minutesAgo} * interval '1 minute', 1)
  on conflict on constraint request_counts_pkey do update set used = c.used + excluded.used`;

test('the counts of minutes before the last five are deleted in batches, by one replica, without a wait for those that count', async () => {
  await countRequest(sql, 'prj_1', 0);
  await countRequest(sql, 'prj_1', 3);
  for (const minutesAgo of [7, 8, 9, 10, 11]) await countRequest(sql, 'prj_1', minutesAgo);
  await sql.begin(async (tx) => {
    expect(await deleteOldCounts(tx, 3)).toBe(3);
    expect(await deleteOldCounts(replica, 3)).toBe(0);
    await countRequest(replica, 'prj_1', 0);
    await countRequest(replica, 'prj_2', 0);
  });
  expect(await deleteOldCounts(replica, 3)).toBe(2);
  expect(await deleteOldCounts(replica, 3)).toBe(0);
  expect(await sql`select project_id, used from request_counts order by 1, minute desc`).toEqual([
    { project_id: 'prj_1', used: 2 },
    { project_id: 'prj_1', used: 1 },
    { project_id: 'prj_2', used: 1 },
  ]);
});

// A session keeps at most a thousand different texts prepared. This file has one test, because the number counts for the whole process.
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, type Sql } from './connect';
import { constantText } from './statement';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 1, 'many-texts');
});

afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test('the first statement of a transaction belongs to it, also if it is not prepared and has no values', async () => {
  await sql.begin((tx) => tx`select 1`);
  for (let n = 0; n < 1_000; n++) await sql`select ${constantText(String(n))}`;
  const rolledBack = sql.begin(async (tx) => {
    await tx`insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_1', 'p', 'r', 't', '{}')`;
    throw new Error('as the work says');
  });
  await expect(rolledBack).rejects.toThrow('as the work says');
  expect(await sql`select event_id from outbox`).toEqual([]);
});

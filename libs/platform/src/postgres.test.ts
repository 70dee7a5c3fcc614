import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, type Sql } from './postgres';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 2, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test.each([
  '0001-01-01T00:00:00.000Z',
  '0050-03-01T12:30:00.007Z',
  '1890-06-01T00:00:00.000Z',
  '2027-03-28T01:00:00.120Z',
  '9999-12-31T23:59:59.999Z',
])('an instant comes back from the database as it went in: %s', async (instant) => {
  const [row] = await sql<{ at: Date }[]>`select ${new Date(instant)}::timestamptz(3) as at`;
  expect(row?.at.toISOString()).toBe(instant);
});

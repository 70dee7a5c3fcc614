import { ApiError, unavailable } from '@carecover/domain';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, type Sql } from './connect';
import { inParts, rolledBack, type Transactions } from './partial-transactions';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.adminUrl, 2, 'test');
  await sql`create table numbers (number integer primary key)`;
});
beforeEach(async () => {
  await sql`truncate numbers`;
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

const numbers = async () =>
  (await sql<{ number: number }[]>`select number from numbers order by number`).map(({ number }) => number);

/** Inserts a number. Throws `error` afterwards, if there is one. */
const insert = (transactions: Transactions, number: number, error: Error | null = null) =>
  transactions.begin(async (tx) => {
    await tx`insert into numbers values (${number})`;
    if (error !== null) throw error;
    return number;
  });

const rejection = new ApiError('invalid_state', 'No.');

/** Inserts numbers in parts of one transaction, each of which can have an error. */
const insertAll = (
  items: readonly (readonly [number, (Error | null)?])[],
  transactions: Transactions = sql,
) =>
  transactions.begin((tx) =>
    inParts<(typeof items)[number], number | string>(
      tx,
      items,
      (part, [number, error]) => insert(part, number, error),
      ({ code }) => code,
    ),
  );

test('a rejected part leaves nothing, and the other parts are committed', async () => {
  expect(await insertAll([[1], [2, rejection], [3]])).toEqual([1, 'invalid_state', 3]);
  expect(await numbers()).toEqual([1, 3]);
});

test.each([
  ['an outage', unavailable('The database')],
  ['a fault', new Error('a fault')],
])('%s of a part is no rejection: it ends all parts, which can be repeated', async (_, error) => {
  await expect(insertAll([[1], [2, error], [3]])).rejects.toBe(error);
  expect(await numbers()).toEqual([]);
});

test('a transaction that is rolled back returns its result, also of its parts, and writes nothing', async () => {
  expect(await insert(rolledBack(sql), 1)).toBe(1);
  expect(await insertAll([[1], [2, rejection]], rolledBack(sql))).toEqual([1, 'invalid_state']);
  await expect(insert(rolledBack(sql), 1, rejection)).rejects.toBe(rejection);
  expect(await numbers()).toEqual([]);
});

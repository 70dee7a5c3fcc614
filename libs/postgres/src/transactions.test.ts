import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { type CountingSql, countStatements } from '@carecover/testing/services';
import type { Sql } from './connect';
import type { Db } from './statement';

let database: TestDatabase;
let counting: CountingSql;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
});

beforeEach(() => {
  counting = countStatements(database.url('claims'));
  sql = counting.sql;
});

afterEach(() => sql.end());

afterAll(() => database?.drop());

const insertEvent = (db: Db, id: string) =>
  db`insert into outbox (event_id, project_id, resource_id, type, payload) values (${id}, 'p', 'r', 't', '{}')`;
const eventsOf = (id: string) => sql`select 1 from outbox where event_id = ${id}`;

test('begin, each awaited statement and commit are one round trip each', async () => {
  const cost = await counting.costOf(() =>
    sql.begin(async (tx) => {
      await tx`select 1`;
      await tx`select 2`;
    }),
  );
  expect(cost).toEqual({ statements: 4, roundTrips: 4 });
});

test('the first statement is not executed if begin fails', async () => {
  const result = sql.begin('isolation level unknown', async (tx) => {
    await insertEvent(tx, 'evt_3');
  });
  await expect(result).rejects.toThrow('syntax error');
  expect(await eventsOf('evt_3')).toHaveLength(0);
});

test('an error of the first statement rolls the transaction back and leaves the connection in use', async () => {
  const result = sql.begin(async (tx) => {
    await tx`select 1 / 0`;
  });
  await expect(result).rejects.toThrow('division by zero');
  await sql.begin(async (tx) => {
    await insertEvent(tx, 'evt_4');
  });
  expect(await eventsOf('evt_4')).toHaveLength(1);
});

test('a transaction has its mode, in the first transaction of a session and in later ones', async () => {
  const mode = 'isolation level repeatable read read only';
  for (let repetition = 0; repetition < 3; repetition++) {
    const [level, readOnly] = await sql.begin(mode, (tx) =>
      tx.pipeline([tx`show transaction_isolation`, tx`show transaction_read_only`]),
    );
    expect([level[0], readOnly[0]]).toEqual([
      { transaction_isolation: 'repeatable read' },
      { transaction_read_only: 'on' },
    ]);
  }
  expect(await sql`show transaction_isolation`).toEqual([{ transaction_isolation: 'read committed' }]);
});

test('a session that has lost its prepared statements fails without a commit', async () => {
  const insert = () =>
    sql.begin(async (tx) => {
      await tx`select 1`;
      await insertEvent(tx, 'evt_unprepared');
    });
  await insert();
  await sql`delete from outbox where event_id = 'evt_unprepared'`;
  await sql`deallocate all`;
  await expect(insert()).rejects.toThrow(/prepared statement "s\d+" does not exist/);
  expect(await eventsOf('evt_unprepared')).toEqual([]);
});

test('a transaction with a statement whose values cannot be sent is not committed, although its error was caught', async () => {
  for (const commitsOther of [true, false]) {
    const result = sql.begin(async (tx) => {
      if (commitsOther) await insertEvent(tx, 'evt_unsent');
      await tx`select ${{ not: 'converted' }}`.catch(() => undefined);
    });
    await expect(result).rejects.toThrow('an object can be a parameter only as jsonb');
  }
  expect(await eventsOf('evt_unsent')).toEqual([]);
});

test('an error that a savepoint takes back does not fail the transaction', async () => {
  await sql.begin(async (tx) => {
    await insertEvent(tx, 'evt_kept');
    await tx`savepoint before_error`;
    await tx`select 1 / 0`.catch(() => undefined);
    await tx`rollback to savepoint before_error`;
  });
  expect(await eventsOf('evt_kept')).toHaveLength(1);
});

import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { type CountingSql, countStatements, doneOrWaiting } from '@carecover/testing/services';
import { connectPostgres, databaseNow, type Sql, type Tx } from './connect';
import type { Db, Query } from './statement';

let database: TestDatabase;
let counting: CountingSql;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  counting = countStatements(database.url('claims'));
  sql = counting.sql;
});

afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

const insertEvent = (db: Db, id: string) =>
  db`insert into outbox (event_id, project_id, resource_id, type, payload) values (${id}, 'p', 'r', 't', '{}')`;
const eventsOf = (id: string) => sql`select 1 from outbox where event_id = ${id}`;
const number = (db: Db, n: number): Query<number> =>
  db<{ n: number }[]>`select ${n}::int as n`.withResult(([row]) => row?.n ?? 0);

test('a pipeline returns the results of its parts in their order, in one round trip', async () => {
  const run = () =>
    sql.begin(async (tx) => {
      const [one, rows, missing, [two, text]] = await tx.pipeline([
        number(tx, 1),
        tx`select 4 as n union select 5 order by 1`,
        null,
        tx.pipeline([number(tx, 2), tx`select 'b' as text`.withResult(([row]) => row?.text as string)]),
      ]);
      return { one, rows, missing, two, text };
    });
  const expected = { one: 1, rows: [{ n: 4 }, { n: 5 }], missing: null, two: 2, text: 'b' };
  expect(await run()).toEqual(expected);
  let result: unknown;
  const cost = await counting.costOf(async () => {
    result = await run();
  });
  expect(result).toEqual(expected);
  expect(cost).toEqual({ statements: 6, roundTrips: 3 });
});

test('an empty pipeline sends nothing', async () => {
  const cost = await counting.costOf(() => sql.begin((tx) => tx.pipeline([])));
  expect(cost).toEqual({ statements: 2, roundTrips: 2 });
});

test('the parts are executed in the order of the list, whatever the order in which they were made', async () => {
  const seen = await sql.begin(async (tx) => {
    const count = () =>
      tx`select 1 from outbox where resource_id = 'in_order'`.withResult((rows) => rows.length);
    const last = count();
    const write = tx`
      insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_order', 'p', 'in_order', 't', '{}')`;
    const [before, , after] = await tx.pipeline([count(), write, last]);
    return [before, after];
  });
  expect(seen).toEqual([0, 1]);
});

test('a read after a lock sees what the holder of the lock committed', async () => {
  await insertEvent(sql, 'evt_locked');
  const other = connectPostgres(database.url('claims'), 1, 'other');
  const lock = (tx: Tx) => tx`select 1 from outbox where event_id = 'evt_locked' for update`;
  try {
    const reading = other.begin(async (holder) => {
      await lock(holder);
      const waiting = sql.begin((tx) =>
        tx.pipeline([lock(tx), tx`select resource_id from outbox where event_id = 'evt_locked'`]),
      );
      const admin = connectPostgres(database.adminUrl, 1, 'test');
      try {
        await doneOrWaiting(admin, waiting);
      } finally {
        await admin.end();
      }
      await holder`update outbox set resource_id = 'changed' where event_id = 'evt_locked'`;
      return { waiting };
    });
    const [, rows] = await (await reading).waiting;
    expect(rows).toEqual([{ resource_id: 'changed' }]);
  } finally {
    await other.end();
  }
});

describe('if a part fails', () => {
  test('the pipeline rejects with the first error after all parts have ended, and nothing is committed', async () => {
    const ended: string[] = [];
    const note = (name: string, query: Query<unknown>) =>
      query.withResult(() => {
        ended.push(name);
      });
    const failing = sql.begin(async (tx) => {
      const first = note('first', insertEvent(tx, 'evt_first'));
      const last = note('last', insertEvent(tx, 'evt_last'));
      await tx.pipeline([first, tx`select 1 / 0`, databaseNow(tx), tx.pipeline([tx`select 2`, last])]);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(ended).toEqual(['first']);
    expect([...(await eventsOf('evt_first')), ...(await eventsOf('evt_last'))]).toEqual([]);
  });

  test('the transaction cannot be committed, although the error was caught', async () => {
    const caught = sql.begin(async (tx) => {
      const writing = async () => tx.pipeline([insertEvent(tx, 'evt_caught'), tx`select 1 / 0`]);
      await writing().catch(() => undefined);
    });
    await expect(caught).rejects.toThrow('division by zero');
    expect(await eventsOf('evt_caught')).toEqual([]);
  });

  test('because its values cannot be sent, what was sent before it is not committed', async () => {
    const failing = sql.begin((tx) =>
      tx.pipeline([insertEvent(tx, 'evt_unsent'), tx`select ${{ not: 'converted' }}`]),
    );
    await expect(failing).rejects.toThrow('an object can be a parameter only as jsonb');
    expect(await eventsOf('evt_unsent')).toEqual([]);
  });

  test('because its result cannot be converted, the transaction is rolled back', async () => {
    const reject = (): never => {
      throw new Error('not this row');
    };
    const failing = sql.begin((tx) =>
      tx.pipeline([tx`select 1`.withResult(reject), insertEvent(tx, 'evt_converted')]),
    );
    await expect(failing).rejects.toThrow('not this row');
    expect(await eventsOf('evt_converted')).toEqual([]);
  });
});

test('a query is sent once, however often it is awaited', async () => {
  const id = await sql.begin(async (tx) => {
    const inserted = tx<{ event_id: string }[]>`
      insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_once', 'p', 'r', 't', '{}')
      returning event_id`;
    const [row] = await inserted.withResult(([only]) => [only]);
    await tx.pipeline([inserted, inserted]);
    return row?.event_id;
  });
  expect(id).toBe('evt_once');
  expect(await eventsOf('evt_once')).toHaveLength(1);
});

test('a pipeline accepts no query of the pool or of another transaction, and no promise', async () => {
  const own = 'a pipeline can have only queries of its own transaction';
  const other = connectPostgres(database.url('claims'), 1, 'other');
  try {
    for (const foreign of [(): Query<unknown> => sql`select 1`, () => databaseNow(other)])
      await expect(sql.begin((tx) => tx.pipeline([tx`select 1`, foreign()]))).rejects.toThrow(own);
    await other.begin(async (others) => {
      await expect(sql.begin((tx) => tx.pipeline([others.pipeline([])]))).rejects.toThrow(own);
    });
    // @ts-expect-error: a promise may be of statements that are sent already, in another order.
    await expect(sql.begin((tx) => tx.pipeline([Promise.resolve(1)]))).rejects.toThrow(own);
  } finally {
    await other.end();
  }
});

import { Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { type CountingSql, countStatements } from '../testing';
import { SpanKind, startTrace } from '../tracing/spans';
import { recordSpans } from '../tracing/testing';
import { allInOrder, type Db, type Sql } from '.';

let database: TestDatabase;
let counting: CountingSql;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
});

beforeEach(async () => {
  counting = countStatements(database.url('claims'));
  sql = counting.sql;
  await sql.begin(async (tx) => {
    await tx`select 1`;
    await tx`select 2`;
  });
});

afterEach(() => sql.end());

afterAll(() => database?.drop());

const insertEvent = (db: Db, id: string) =>
  db`insert into outbox (event_id, project_id, resource_id, type, payload) values (${id}, 'p', 'r', 't', '{}')`;
const eventsOf = (id: string) => sql`select 1 from outbox where event_id = ${id}`;

test('begin is sent in the round trip of the first statement', async () => {
  const cost = await counting.costOf(() =>
    sql.begin(async (tx) => {
      await tx`select 1`;
      await tx`select 2`;
    }),
  );
  expect(cost).toEqual({ statements: 4, roundTrips: 3 });
});

test('statements that are sent together are one write to the socket', async () => {
  const send = () =>
    sql.begin(async (tx) => {
      await allInOrder([tx`select 1`.execute(), tx`select 2`.execute(), tx`select 1`.execute()]);
      void tx`select 2`.execute();
    });
  const writes = (['_write', '_writev'] as const).map((name) => jest.spyOn(Socket.prototype, name));
  const cost = await counting.costOf(send);
  const count = writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const spy of writes) spy.mockRestore();
  expect(cost).toEqual({ statements: 6, roundTrips: 2 });
  expect(count).toBe(2);
});

test('a transaction without statements sends nothing', async () => {
  const cost = await counting.costOf(() => sql.begin(async () => undefined));
  expect(cost).toEqual({ statements: 0, roundTrips: 0 });
  const rejected = counting.costOf(() => sql.begin(() => Promise.reject(new Error('no'))));
  await expect(rejected).rejects.toThrow('no');
});

test('the first statement is not executed if begin fails', async () => {
  // `deallocate all` deletes the session's prepared `begin`, but the client does not know it, so the next `begin` fails.
  await sql.session((session) => session`deallocate all`);
  const result = sql.begin(async (tx) => {
    await tx`insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_3', 'p', 'r', 't', '{}')`;
  });
  await expect(result).rejects.toThrow('does not exist');
  const other = countStatements(database.url('claims')).sql;
  expect(await other`select 1 from outbox where event_id = 'evt_3'`).toHaveLength(0);
  await other.end();
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

test('the first statement returns its own rows, also of several statements that are sent together', async () => {
  const rows = await sql.begin((tx) =>
    Promise.all([tx`select 1 as n`, tx`select 2 as n union select 3 order by 1`, tx`select 4 as n`]),
  );
  expect(rows.map((each) => each.map(({ n }) => n))).toEqual([[1], [2, 3], [4]]);
});

test('a transaction has its mode, in the first transaction of a session and in later ones', async () => {
  const mode = 'isolation level repeatable read read only';
  for (let repetition = 0; repetition < 3; repetition++) {
    const [level, readOnly] = await sql.begin(mode, (tx) =>
      Promise.all([tx`show transaction_isolation`, tx`show transaction_read_only`]),
    );
    expect([level?.[0], readOnly?.[0]]).toEqual([
      { transaction_isolation: 'repeatable read' },
      { transaction_read_only: 'on' },
    ]);
  }
  expect(await sql`show transaction_isolation`).toEqual([{ transaction_isolation: 'read committed' }]);
});

test('a statement that is sent and not awaited is committed with the others, and its error fails the transaction', async () => {
  const cost = await counting.costOf(() =>
    sql.begin(async (tx) => {
      void insertEvent(tx, 'evt_5').execute();
    }),
  );
  expect(cost).toEqual({ statements: 3, roundTrips: 1 });
  expect(await eventsOf('evt_5')).toHaveLength(1);
  const failed = sql.begin(async (tx) => {
    await insertEvent(tx, 'evt_6');
    void insertEvent(tx, 'evt_5').execute();
  });
  await expect(failed).rejects.toMatchObject({ code: '23505' });
  expect(await eventsOf('evt_6')).toHaveLength(0);
});

test('the error of a statement that is not awaited is the same in a trace', async () => {
  await insertEvent(sql, 'evt_traced');
  const spans = recordSpans();
  try {
    const fail = () =>
      sql.begin(async (tx) => {
        void insertEvent(tx, 'evt_traced').execute();
      });
    await expect(startTrace('', 'request', SpanKind.SERVER, fail)).rejects.toMatchObject({ code: '23505' });
  } finally {
    await spans.stop();
  }
});

test('a transaction with a statement whose values cannot be sent is not committed, although nothing awaits the statement', async () => {
  for (const commitsOther of [true, false]) {
    const result = sql.begin(async (tx) => {
      if (commitsOther) await insertEvent(tx, 'evt_unsent');
      void tx`select ${{ not: 'converted' }}`.execute();
    });
    await expect(result).rejects.toThrow('an object can be a parameter only as jsonb');
  }
  expect(await eventsOf('evt_unsent')).toEqual([]);
});

test('a transaction whose begin fails is not reported as committed, and its session is not used again', async () => {
  await sql`deallocate all`;
  const result = sql.begin(async (tx) => {
    void insertEvent(tx, 'evt_without_begin').execute();
  });
  await expect(result).rejects.toThrow(/prepared statement "s\d+" does not exist/);
  expect(await eventsOf('evt_without_begin')).toEqual([]);
});

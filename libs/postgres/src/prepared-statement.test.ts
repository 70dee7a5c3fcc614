import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, type Sql } from './connect';
import { isDatabaseUnavailable } from './errors';
import type { Db } from './statement';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
});

beforeEach(() => {
  sql = connectPostgres(database.url('claims'), 1, 'prepared');
});

afterEach(async () => {
  await sql.end();
});

afterAll(() => database?.drop());

const insertEvent = (db: Db, id: string, type: string | null = 't') =>
  db`insert into outbox (event_id, project_id, resource_id, type, payload) values (${id}, 'p', 'r', ${type}, '{}')`;

test('a statement has the same values in each execution', async () => {
  const select = () =>
    sql`select 9007199254740991::bigint as large, null as missing, array['a', null] as texts,
               '0050-01-02T03:04:05.006Z'::timestamptz as at`;
  const expected = [
    { large: 9007199254740991, missing: null, texts: ['a', null], at: new Date('0050-01-02T03:04:05.006Z') },
  ];
  for (let execution = 0; execution < 3; execution++) expect(await select()).toEqual(expected);
});

test('each row has its own values', async () => {
  const select = (from: number, to: number) =>
    sql`select n, case when n > 2 then 'more' end as text from generate_series(${from}::int, ${to}::int) n`;
  expect(await select(1, 1)).toEqual([{ n: 1, text: null }]);
  expect(await select(2, 3)).toEqual([
    { n: 2, text: null },
    { n: 3, text: 'more' },
  ]);
  expect(await select(4, 3)).toEqual([]);
});

test('a statement can be executed again after an error', async () => {
  await expect(insertEvent(sql, 'evt_0', null)).rejects.toMatchObject({ code: '23502' });
  expect(await insertEvent(sql, 'evt_1')).toEqual([]);
  await expect(insertEvent(sql, 'evt_1')).rejects.toMatchObject({ code: '23505' });
  expect(await insertEvent(sql, 'evt_2')).toEqual([]);
});

test('statements with the same text that are sent before the first one is prepared get their own rows', async () => {
  const select = (db: Db, n: number) => db`select ${n}::int as n`;
  const send = () => sql.begin((tx) => tx.pipeline([select(tx, 1), select(tx, 2), select(tx, 3)]));
  const expected = [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]];
  expect(await send()).toEqual(expected);
  expect(await send()).toEqual(expected);
});

test('the first statement of a transaction can be a prepared one', async () => {
  const select = (db: Db) => db`select 'b' as a`;
  for (let execution = 0; execution < 3; execution++) {
    expect(await sql.begin((tx) => select(tx))).toEqual([{ a: 'b' }]);
    expect(await select(sql)).toEqual([{ a: 'b' }]);
  }
});

describe('after a change of a table', () => {
  let owner: Sql;
  beforeEach(async () => {
    owner = connectPostgres(database.adminUrl, 1, 'owner');
    await owner`drop table if exists claims.changing`;
    await owner`create table claims.changing (a text)`;
    await owner`grant select on claims.changing to claims`;
    await owner`insert into claims.changing values ('1')`;
  });
  afterEach(() => owner.end());

  const addColumn = () => owner`alter table claims.changing add column b text default '2'`;
  const select = (db: Db) => db`select * from changing`;

  test('a statement has the new columns, in every session', async () => {
    const other = connectPostgres(database.url('claims'), 1, 'other');
    for (const db of [sql, other]) expect(await select(db)).toEqual([{ a: '1' }]);
    await addColumn();
    for (const db of [sql, other, sql, other]) expect(await select(db)).toEqual([{ a: '1', b: '2' }]);
    await other.end();
  });

  test('a transaction fails as if the database were unavailable, and its repetition succeeds', async () => {
    const transaction = (statements: (db: Db) => PromiseLike<unknown>[]) =>
      sql.begin(async (tx) => {
        const results: unknown[] = [];
        for (const result of statements(tx)) results.push(await result);
        return results;
      });
    const asFirst = () => transaction((tx) => [select(tx)]);
    const asSecond = () => transaction((tx) => [tx`select 1 as one`, select(tx)]);
    await asFirst();
    await addColumn();
    expect(isDatabaseUnavailable(await asFirst().catch((error) => error))).toBe(true);
    expect(await asFirst()).toEqual([[{ a: '1', b: '2' }]]);
    await owner`alter table claims.changing add column c text`;
    expect(isDatabaseUnavailable(await asSecond().catch((error) => error))).toBe(true);
    expect(await asSecond()).toEqual([[{ one: 1 }], [{ a: '1', b: '2', c: null }]]);
  });
});

test('the stack trace of an error has the function that sent the statement', async () => {
  async function sendInvalidStatement() {
    await sql`select 1 / 0`;
  }
  const error = await sendInvalidStatement().catch((caught: Error) => caught);
  expect((error as Error).stack).toContain('sendInvalidStatement');
});

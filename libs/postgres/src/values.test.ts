import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, type Sql } from './connect';
import { assignments, columns, constantText, identifier, insertedRows, jsonb } from './statement';

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.adminUrl, 2, 'test');
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

test.each<[string, string, unknown]>([
  ['boolean', 'true', true],
  ['bigint', '9007199254740991', Number.MAX_SAFE_INTEGER],
  ['integer', '-7', -7],
  ['numeric', '0.10', '0.10'],
  ['double precision', '0.5', 0.5],
  ['date', '2027-03-01', '2027-03-01'],
  ['bytea', '\\xff00', Buffer.from([255, 0])],
  ['jsonb', '{"a": [1, null]}', { a: [1, null] }],
  ['bigint[]', '{1,NULL}', [1, null]],
  ['boolean[]', '{t,f}', [true, false]],
  ['timestamptz[]', '{2027-03-01T00:00:00Z}', [new Date('2027-03-01')]],
  ['text[]', '{}', []],
  ['uuid', '018f0000-0000-7000-8000-000000000000', '018f0000-0000-7000-8000-000000000000'],
  ['time', '08:30', '08:30:00'],
])('a %s is read as its value: %s', async (type, text, value) => {
  const [row] = await sql`select ${text}::text::${constantText(type)} as value`;
  expect(row?.value).toEqual(value);
});

test.each<[string, unknown]>([
  ['text[]', ['a', 'b"c', '{d}', '\\', '', 'NULL', 'ü']],
  ['text[]', []],
  ['integer[]', [1, 2]],
  ['text[]', [null, 'a']],
  ['timestamptz[]', [new Date('2027-03-01T00:00:00.001Z')]],
  ['bytea', Buffer.from([0, 1, 255])],
  ['boolean', false],
  ['bigint', 5],
])('a parameter of type %s comes back: %p', async (type, value) => {
  const [row] = await sql`select ${value}::${constantText(type)} as value`;
  expect(row?.value).toEqual(value);
});

test.each([{ a: 'it\'s "b"', n: 1.5 }, ['a', { b: null }], 'text', 1, null])(
  'jsonb comes back: %j',
  async (value) => {
    const [row] = await sql`select ${jsonb(value)}::jsonb as value`;
    expect(row?.value).toEqual(value);
  },
);

test('rows, columns and assignments become parts of a statement', async () => {
  const table = identifier('made "here"');
  await sql.session(async (session) => {
    await session`create temporary table ${table} (id integer, "two words" text)`;
    await session`insert into ${table} ${insertedRows({ id: 1, 'two words': 'a' }, { id: 2, 'two words': null })}`;
    await session`update ${table} set ${assignments({ 'two words': "it's", id: 3 })} where id = ${1}`;
    const rows = await session`select ${columns(['id', 'two words'])} from ${table} order by id`;
    expect(rows).toEqual([
      { id: 2, 'two words': null },
      { id: 3, 'two words': "it's" },
    ]);
  });
});

import { connectPostgres, constantText, identifier, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { errorResponse } from './error-response';

let database: TestDatabase;
let sql: Sql;
let admin: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  admin = connectPostgres(database.adminUrl, 1, 'test');
  sql = connectPostgres(database.url('claims'), 2, 'test');
  await admin`create function platform.fail(code text) returns void language plpgsql as
    'begin raise exception ''an error'' using errcode = code; end'`;
  await admin`grant execute on function platform.fail(text) to claims`;
});
afterAll(async () => {
  await sql?.end();
  await admin?.end();
  await database?.drop();
});

const responseTo = async (statement: Promise<unknown>) =>
  errorResponse(
    await statement.then(
      () => 'no error',
      (error: unknown) => error,
    ),
  );

const fail = async (code: string) => sql`select platform.fail(${code})`;

test.each([
  ['53100', 'the disk is full'],
  ['53200', 'the memory is used up'],
  ['53300', 'too many clients'],
  ['53400', 'a limit of the server, such as that of temporary files'],
  ['58000', 'the operating system failed'],
  ['58030', 'a read or write failed'],
  ['25006', 'the server is read-only'],
  ['25P03', 'the transaction was idle for too long'],
  ['57014', 'the statement took too long'],
  ['40P01', 'the transaction was ended because of a deadlock'],
  ['57P01', 'the server stops'],
  ['57P02', 'the server crashed'],
  ['57P03', 'the server starts'],
  ['57P05', 'the session was idle for too long'],
  ['08000', 'the connection failed'],
  ['08006', 'the connection was lost'],
])('error %s (%s) is answered 503 with Retry-After', async (code) => {
  const { status, headers } = await responseTo(fail(code));
  expect([status, headers['Retry-After']]).toEqual([503, '1']);
});

test.each([
  ['08P01', 'a message that does not fit the protocol'],
  ['42P01', 'a missing table'],
  ['XX001', 'damaged data'],
  ['57P04', 'a dropped database'],
])('error %s (%s) is answered 500, because a repetition does not help', async (code) => {
  const { status } = await responseTo(fail(code));
  expect(status).toBe(500);
});

test('after the server was read-only, writes succeed again without a restart of the process', async () => {
  const write = async (db: Sql) =>
    db`insert into outbox (event_id, project_id, resource_id, type, payload)
    values (${crypto.randomUUID()}, 'p', 'r', 't', '{}')`;
  const setReadOnly = async (value: 'on' | 'off') =>
    admin`alter database ${identifier(database.name)} set default_transaction_read_only = ${constantText(value)}`;
  // A session has the setting from its start to its end.
  await setReadOnly('on');
  const fresh = connectPostgres(database.url('claims'), 2, 'test');
  try {
    expect((await responseTo(write(fresh))).status).toBe(503);
    await setReadOnly('off');
    expect(await write(fresh)).toEqual([]);
  } finally {
    await setReadOnly('off');
    await fresh.end();
  }
});

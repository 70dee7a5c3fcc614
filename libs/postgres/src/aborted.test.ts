import { runAbortable } from '@carecover/process';
import { createTestDatabase, eventually, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, type Sql } from './connect';

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

/** Runs `work` and aborts it when `mayAbort` is called. Returns how it ended, and whether `work` continued after its statement failed. */
async function abortDuring(work: (mayAbort: () => void) => Promise<unknown>): Promise<string> {
  const stopping = new AbortController();
  const abort = () => stopping.abort(new Error('stopped'));
  return runAbortable([stopping.signal], () => work(abort)).then(
    () => 'ended',
    (error: Error) => error.message,
  );
}

const numbers = async () =>
  (await sql<{ number: number }[]>`select number from numbers`).map((row) => row.number);

test('a statement ends when its work is aborted, and its connection is not used again', async () => {
  const outcome = await abortDuring(async (mayAbort) => {
    setTimeout(mayAbort, 100);
    await sql`select pg_sleep(60)`;
  });
  expect(outcome).toBe('stopped');
  await eventually('no connection is busy', async () => sql.use().busy === 0);
  expect(await numbers()).toEqual([]);
});

test('a transaction that is open when its work is aborted is rolled back, and sends no further statement', async () => {
  let failure: unknown;
  const outcome = await abortDuring(async (mayAbort) => {
    await sql
      .begin(async (tx) => {
        await tx`insert into numbers values (1)`;
        mayAbort();
        await tx`insert into numbers values (2)`;
      })
      .catch((error: unknown) => {
        failure = error;
      });
    await sql`insert into numbers values (3)`;
  });
  expect(outcome).toBe('stopped');
  await eventually('no connection is busy', async () => sql.use().busy === 0);
  expect(failure).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  expect(await numbers()).toEqual([]);
});

test('a transaction that is aborted at its end is not committed afterwards', async () => {
  await abortDuring((mayAbort) =>
    sql.begin(async (tx) => {
      await tx`insert into numbers values (1)`;
      mayAbort();
    }),
  );
  await eventually('no connection is busy', async () => sql.use().busy === 0);
  expect(await numbers()).toEqual([]);
});

test('work outside of the aborted one is not affected', async () => {
  const stopping = new AbortController();
  const sleepInDatabase = async () => sql`select pg_sleep(0.3)`;
  const other = sleepInDatabase();
  const aborted = runAbortable([stopping.signal, undefined], async () => sql`select pg_sleep(60)`);
  setTimeout(() => stopping.abort(new Error('stopped')), 100);
  await expect(aborted).rejects.toThrow('stopped');
  await expect(runAbortable([stopping.signal], async () => 'never')).rejects.toThrow('stopped');
  await other;
});

import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { registry } from './metrics';
import { registerPoolGauges } from './pool-gauges';
import { connectPostgres, type Sql } from './postgres';

const SIZE = 3;

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), SIZE, 'pool');
  registerPoolGauges('care', sql);
});

afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

/** Of each gauge its value, by the words that tell it from its siblings. */
async function pool(): Promise<Record<string, number>> {
  const lines = (await registry.metrics())
    .split('\n')
    .filter((line) => /^carecover_database_pool/.test(line));
  return Object.fromEntries(
    lines.map((line) => [
      (/state="(\w+)"/.exec(line) ?? /pool_(\w+)/.exec(line))?.[1] ?? '',
      Number(line.split(' ').at(-1)),
    ]),
  );
}

test('the gauges tell what is in use and what waits, at every moment', async () => {
  expect(await pool()).toEqual({ size: SIZE, busy: 0, idle: 0, connecting: 0, waiting: 0 });
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const begun: (() => void)[] = [];
  const all = Promise.all(
    Array.from({ length: SIZE }, () => new Promise<void>((resolve) => begun.push(resolve))),
  );
  const transactions = Array.from({ length: SIZE }, (_, index) =>
    sql.begin(async (tx) => {
      await tx`select 1`;
      begun[index]?.();
      await finished;
    }),
  );
  await all;
  expect(await pool()).toMatchObject({ busy: SIZE, idle: 0, waiting: 0 });
  const waiting = [sql`select 2`.execute(), sql.begin((tx) => tx`select 3`)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(await pool()).toMatchObject({ busy: SIZE, waiting: 2 });
  finish();
  await Promise.all([...transactions, ...waiting]);
  expect(await pool()).toMatchObject({ busy: 0, idle: SIZE, connecting: 0, waiting: 0 });
});

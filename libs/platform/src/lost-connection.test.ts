import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import postgres from 'postgres';
import { connectPostgres, type Sql, type Tx } from './postgres';

// These tests show why the client's handling of ended sessions is patched, see patches/.

let database: TestDatabase;
let sql: Sql;
let admin: postgres.Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  admin = postgres(database.adminUrl, { max: 1 });
});

beforeEach(() => {
  sql = connectPostgres(database.url('claims'), 2, 'lost');
});

afterEach(() => sql.end({ timeout: 1 }));

afterAll(async () => {
  await admin?.end();
  await database?.drop();
});

const endSessions = () =>
  admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost'`;

test('a transaction whose session ended while it waited executes nothing in another session', async () => {
  const lost = sql.begin(async (tx) => {
    await tx`select 1`;
    await endSessions();
    // Meanwhile the pool opens new sessions.
    await Promise.all([sql`select 1`, sql`select 1`].map((query) => query.catch(() => undefined)));
    await sql`select pg_sleep(0.05)`;
    await tx`insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_1', 'p', 'r', 't', '{}')`;
  });
  await expect(lost).rejects.toThrow();
  expect(await sql`select 1 from outbox`).toHaveLength(0);
});

test('sessions that end at any moment neither crash the process, nor block the pool, nor mix up results', async () => {
  const wrong: unknown[] = [];
  let stopped = false;
  const read = async (db: Sql | Tx) => {
    const [row] = await db<{ letters: unknown }[]>`select ${['a', 'b']}::text[] as letters`;
    if (JSON.stringify(row?.letters) !== '["a","b"]') wrong.push(row?.letters);
  };
  const work = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      await sql
        .begin(async (tx) => {
          await Promise.all([read(tx), tx`select 2`]);
          await tx`select 3`;
        })
        .catch(() => undefined);
      await read(sql).catch(() => undefined);
    }
  });
  for (let round = 0; round < 80; round++) {
    await endSessions();
    await new Promise((resolve) => setTimeout(resolve, round % 7));
  }
  stopped = true;
  await Promise.all(work);
  await read(sql);
  expect(wrong).toEqual([]);
});

import { createTestDatabase, startNetworkLink, type TestDatabase } from '@carecover/testing/servers';
import { connectPostgres, type Sql } from './connect';
import { isDatabaseUnavailable } from './errors';
import { atInstant } from './project-time';
import { constantText, type Db } from './statement';

let database: TestDatabase;
let sql: Sql;
let admin: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  admin = connectPostgres(database.adminUrl, 1, 'test');
});

beforeEach(() => {
  sql = connectPostgres(database.url('claims'), 2, 'lost');
});

afterEach(() => sql.end({ timeoutMs: 1_000 }).catch(() => undefined));

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
    // Between the end of the transaction's session and its next statement, the pool opens new sessions.
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
  const read = async (db: Db) => {
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

test('a statement after the end of its transaction is rejected and not sent', async () => {
  const late = await sql.begin(async (tx) => ({ tx }));
  const select = async () => late.tx`select 1`;
  await expect(select()).rejects.toThrow('the transaction has ended');
});

test('a transaction in which a statement failed is never reported as committed', async () => {
  const result = sql.begin(async (tx) => {
    await tx`insert into outbox (event_id, project_id, resource_id, type, payload) values ('evt_2', 'p', 'r', 't', '{}')`;
    await tx`select 1 / 0`.catch(() => undefined);
  });
  await expect(result).rejects.toThrow('division by zero');
  expect(await sql`select 1 from outbox where event_id = 'evt_2'`).toHaveLength(0);
});

test('a lost connection and a rejected one mean that the database is unavailable', async () => {
  const lost = sql.begin(async (tx) => {
    await tx`select 1`;
    await endSessions();
    await tx`select 2`;
  });
  await expect(lost.catch(isDatabaseUnavailable)).resolves.toBe(true);
  const nowhere = connectPostgres('postgres://missing@127.0.0.1:1/none', 1, 'lost');
  await expect(nowhere`select 1`.catch(isDatabaseUnavailable)).resolves.toBe(true);
  await nowhere.end();
});

test('a connection that is lost during a due item fails the item, and leaves no rejection that ends the process', async () => {
  const lost = sql.begin(async (tx) => {
    const [session] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await admin`select pg_terminate_backend(${session?.pid}, 5000)`;
    await atInstant(tx, 'prj_1_sim', Date.now(), () => tx`select 2`);
  });
  await expect(lost.catch(isDatabaseUnavailable)).resolves.toBe(true);
  // A rejection that nothing handles fails this test, as it would end a process.
  await new Promise((resolve) => setTimeout(resolve, 20));
});

test('a database that accepts no connections for now, as while it is copied, is unavailable', async () => {
  const url = new URL(database.adminUrl);
  url.pathname = '/postgres';
  const cluster = connectPostgres(url.href, 1, 'test');
  const setAllowed = (allowed: boolean) =>
    cluster`${constantText(`alter database ${database.name} allow_connections ${allowed}`)}`;
  try {
    await setAllowed(false);
    await expect(sql`select 1`.catch(isDatabaseUnavailable)).resolves.toBe(true);
  } finally {
    await setAllowed(true);
    await cluster.end();
  }
  expect(await sql`select 1`).toHaveLength(1);
});

test('a rejected statement leaves its connection in use', async () => {
  const pid = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const before = await pid();
  await expect(sql`select 1 / 0`).rejects.toMatchObject({ code: '22012' });
  await expect(sql`select ${undefined}::text`).rejects.toThrow(TypeError);
  await expect(sql`select ${new Date(Number.NaN)}::timestamptz`).rejects.toThrow(RangeError);
  await expect(sql`select ${'9007199254740993'}::bigint as above`).rejects.toThrow(RangeError);
  expect(await pid()).toBe(before);
});

test('the end of the pool does not wait for a statement longer than the timeout', async () => {
  const slow = sql`select pg_sleep(60)`.catch(isDatabaseUnavailable);
  await sql`select 1`;
  await sql.end({ timeoutMs: 100 });
  expect(await slow).toBe(true);
});

test('a server that stays silent is unavailable, and the next statement gets another connection', async () => {
  const url = new URL(database.url('claims'));
  const link = await startNetworkLink(Number(url.port));
  url.port = String(link.port);
  const silent = connectPostgres(url.href, 1, 'silent', { responseTimeoutMs: 300 });
  try {
    await silent`select 1`;
    link.partition();
    const error = await silent`select 2`.catch((reason: unknown) => reason);
    expect(isDatabaseUnavailable(error)).toBe(true);
    link.repair();
    expect(await silent`select 4 as n`).toEqual([{ n: 4 }]);
  } finally {
    await silent.end({ timeoutMs: 1_000 });
    await link.close();
  }
});

test('a connection that listens is closed although the server stays silent', async () => {
  const url = new URL(database.url('claims'));
  const link = await startNetworkLink(Number(url.port));
  url.port = String(link.port);
  const silent = connectPostgres(url.href, 1, 'silent');
  try {
    const listening = await silent.listen('channel', () => undefined);
    link.partition();
    await listening.close();
    await listening.ended;
  } finally {
    await silent.end();
    await link.close();
  }
});

import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { deleteExpiredTokens } from './tokens';

let database: TestDatabase;
let admin: Sql;
let sql: Sql;
let replica: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['gateway'] });
  admin = connectPostgres(database.adminUrl, 1, 'test');
  sql = connectPostgres(database.url('gateway'), 1, 'test');
  replica = connectPostgres(database.url('gateway'), 1, 'test');
  await admin`insert into gateway.projects (id, name, environment, consent_default) values ('prj_1', 'A', 'sandbox', 'granted')`;
  await admin`
    insert into gateway.keys (id, project_id, prefix, secret_hash, scopes) values ('key_1', 'prj_1', 'sk_test_Ab3d', sha256('key'), '{claims:read}')`;
});
afterAll(async () => {
  await Promise.all([admin?.end(), sql?.end(), replica?.end()]);
  await database?.drop();
});

const insertTokens = (prefix: string, count: number, expiresAgo: string) => sql`
  insert into tokens (id, secret_hash, key_id, key_generation, scopes, expires_at)
  select ${prefix} || n, sha256((${prefix} || n)::bytea), 'key_1', 1, '{claims:read}', platform.now() - n * ${expiresAgo}::interval
  from generate_series(1, ${count}) n`;

const remaining = async () =>
  (await sql<{ id: string }[]>`select id from tokens order by expires_at desc`).map(({ id }) => id);

test('tokens that expired before the limit are deleted in batches, and others stay', async () => {
  await insertTokens('tok_', 8, '10 hours');
  await insertTokens('tok_valid', 1, '-1 hours');
  expect(await deleteExpiredTokens(sql, 2, 3)).toBe(3);
  expect(await remaining()).toHaveLength(6);
  expect(await deleteExpiredTokens(sql, 2, 3)).toBe(1);
  expect(await deleteExpiredTokens(sql, 2, 3)).toBe(0);
  expect(await remaining()).toEqual(['tok_valid1', 'tok_1', 'tok_2', 'tok_3', 'tok_4']);
});

test('while one replica deletes, another one deletes nothing, and no other statement waits', async () => {
  await insertTokens('tok_old', 6, '9 days');
  await sql.begin(async (tx) => {
    expect(await deleteExpiredTokens(tx, 2, 3)).toBe(3);
    expect(await deleteExpiredTokens(replica, 2, 3)).toBe(0);
    await replica`
      insert into tokens (id, secret_hash, key_id, key_generation, scopes, expires_at)
      values ('tok_new', sha256('new'), 'key_1', 1, '{claims:read}', platform.now() + interval '1 hour')`;
    await admin`update gateway.keys set revoked_at = platform.now() where id = 'key_1'`;
  });
  expect(await deleteExpiredTokens(replica, 2, 3)).toBe(3);
});

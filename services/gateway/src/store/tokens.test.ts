import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, type Sql } from '@carecover/platform';
import { deleteExpiredTokens } from './tokens';

let database: TestDatabase;
let admin: Sql;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['gateway'] });
  admin = connectPostgres(database.adminUrl, 1, 'test');
  sql = connectPostgres(database.url('gateway'), 1, 'test');
});
afterAll(async () => {
  await Promise.all([admin?.end(), sql?.end()]);
  await database?.drop();
});

test('tokens that expired a day ago are deleted in batches, and others stay', async () => {
  await admin`insert into gateway.projects (id, name, environment, consent_default) values ('prj_1', 'A', 'sandbox', 'granted')`;
  await admin`
    insert into gateway.keys (id, project_id, prefix, secret_hash, scopes) values ('key_1', 'prj_1', 'sk_test_Ab3d', sha256('key'), '{claims:read}')`;
  await sql`
    insert into tokens (id, secret_hash, key_id, key_generation, scopes, expires_at)
    select 'tok_' || n, sha256(n::text::bytea), 'key_1', 1, '{claims:read}', platform.now() - n * interval '10 hours'
    from generate_series(-1, 7) n`;
  expect(await deleteExpiredTokens(sql, 3)).toBe(true);
  expect(await deleteExpiredTokens(sql, 3)).toBe(false);
  const rows = await sql<{ id: string }[]>`select id from tokens order by expires_at desc`;
  expect(rows.map(({ id }) => id)).toEqual(['tok_-1', 'tok_0', 'tok_1', 'tok_2']);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { Client } from 'pg';
import { applyMigrations } from './apply-migrations';

let database: TestDatabase;
let migrating: Client;
let reading: Client;
let writing: Client;
let dir: string;

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  return client;
}

beforeEach(async () => {
  database = await createTestDatabase({ services: ['care'] });
  [migrating, reading, writing] = [await connect(), await connect(), await connect()];
  dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writing.query('create schema example; create table example.claims (id integer, amount integer)');
});
afterEach(async () => {
  await Promise.all([migrating, reading, writing].map((client) => client.end()));
  await database.drop();
  await rm(dir, { recursive: true });
});

const apply = () => applyMigrations(migrating, { dir, migrationsTable: 'migrations', schema: 'example' });
const indexes = async () => {
  const { rows } = await writing.query(
    `select indexrelid::regclass::text as name, indisvalid from pg_index where indrelid = 'example.claims'::regclass`,
  );
  return rows;
};

test('a migration that waits for a lock lets writes pass, and is started again', async () => {
  await writeFile(
    join(dir, '0001_reason.sql'),
    '-- Up Migration\nalter table claims add column reason text;',
  );
  await reading.query('begin; select * from example.claims');
  const migrated = apply();
  const isWaiting = async () => {
    const { rows } = await writing.query('select 1 from pg_locks where not granted');
    return rows.length > 0;
  };
  while (!(await isWaiting()));
  // The insert waits behind the migration, which waits for the lock of the reading transaction. That transaction ends only after the
  // insert, so without the migration's lock timeout the insert would never end.
  await writing.query('insert into example.claims (id) values (1)');
  await reading.query('commit');
  await migrated;
  expect((await writing.query('select reason from example.claims')).rows).toEqual([{ reason: null }]);
  expect((await migrating.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
});

test('an index is built without a transaction, and again after a failure', async () => {
  await writeFile(
    join(dir, '0001_index.sql'),
    '-- Up Migration, without transaction\ncreate unique index concurrently claims_once on claims (id);',
  );
  await writing.query('insert into example.claims (id) values (1), (1)');
  await expect(apply()).rejects.toMatchObject({ code: '23505' });
  expect(await indexes()).toEqual([{ name: 'example.claims_once', indisvalid: false }]);
  await writing.query('delete from example.claims');
  await apply();
  await apply();
  expect(await indexes()).toEqual([{ name: 'example.claims_once', indisvalid: true }]);
});

test('an index that an interrupted migration completed without recording it is accepted', async () => {
  await writeFile(
    join(dir, '0001_index.sql'),
    '-- Up Migration, without transaction\ncreate unique index concurrently if not exists claims_once on claims (id);',
  );
  await writing.query('create unique index claims_once on example.claims (id)');
  await apply();
  expect((await writing.query('select name from example.migrations')).rows).toEqual([{ name: '0001_index' }]);
});

test('two migrations of one folder wait for each other', async () => {
  await writeFile(
    join(dir, '0001_reason.sql'),
    '-- Up Migration\nalter table claims add column reason text;',
  );
  const folder = { dir, migrationsTable: 'migrations', schema: 'example' };
  await Promise.all([apply(), applyMigrations(reading, folder)]);
  expect((await writing.query('select name from example.migrations')).rows).toEqual([
    { name: '0001_reason' },
  ]);
});

test('a failed migration leaves nothing, and the next run starts with it', async () => {
  await writeFile(join(dir, '0001_ok.sql'), '-- Up Migration\nalter table claims add column reason text;');
  await writeFile(join(dir, '0002_wrong.sql'), '-- Up Migration\ncreate table new ();\nselect 1 / 0;');
  await expect(apply()).rejects.toMatchObject({ code: '22012' });
  const { rows } = await writing.query(
    `select to_regclass('example.new') as new, name from example.migrations`,
  );
  expect(rows).toEqual([{ new: null, name: '0001_ok' }]);
  await writeFile(join(dir, '0002_wrong.sql'), '-- Up Migration\ncreate table new ();');
  await apply();
});

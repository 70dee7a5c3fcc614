/**
 * Attacks the guarantee that the database password of a service gives only the privileges of that service: an attacker with it can't change
 * to another role, execute code with the privileges of another role, read another schema, or create objects.
 */

import {
  type MigrateOptions,
  migrate,
  SERVICES_WITH_SCHEMA,
  type ServiceName,
} from '@carecover/setup/migrate';
import { databaseUrl, ensureDatabase, startTestPostgres, type TestServer } from '@carecover/testing/servers';
import { Client } from 'pg';

const DATABASE = 'carecover';
const PASSWORD = 'stolen';
const DENIED = '42501';

/** A PostgreSQL cluster that only this suite uses, because the attacks change roles, which all databases of a cluster share. */
let server: TestServer & { readonly cluster: string };
let admin: Client;
let options: MigrateOptions;
const attackers = new Map<ServiceName, Client>();

function addressOf(role: string, database = DATABASE): string {
  return databaseUrl({ port: Number(new URL(server.cluster).port), role, password: PASSWORD, database });
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Executes an SQL statement. Returns the SQLSTATE of its error; null if it succeeds. */
async function executeStatement(client: Client, statement: string): Promise<string | null> {
  try {
    await client.query(statement);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

beforeAll(async () => {
  server = await startTestPostgres();
  await ensureDatabase(server.cluster, DATABASE);
  const passwords = Object.fromEntries(SERVICES_WITH_SCHEMA.map((name) => [name, PASSWORD]));
  options = {
    adminUrl: addressOf('postgres'),
    testClock: false,
    passwords: passwords as Record<ServiceName, string>,
  };
  await migrate(options);
  admin = await connect(options.adminUrl);
  for (const service of SERVICES_WITH_SCHEMA) attackers.set(service, await connect(addressOf(service)));
});
afterAll(async () => {
  for (const client of [...attackers.values(), admin]) await client.end();
  await server.stop();
});

describe.each(SERVICES_WITH_SCHEMA)('as %s', (service) => {
  const other = service === 'claims' ? 'payments' : 'claims';
  const run = async (statement: string) => {
    const attacker = attackers.get(service);
    if (attacker === undefined) throw new Error('not connected');
    return executeStatement(attacker, statement);
  };

  test.each([
    'create temporary table claim_accounts (claim_id text)',
    'create temporary view commands as select 1',
    'create function pg_temp.now() returns integer language sql return 1',
    'create schema mine',
    `create table ${service}.mine (id integer)`,
    'create table public.mine (id integer)',
    'create table platform.mine (id integer)',
    `create function ${service}.clock_timestamp() returns timestamptz language sql return null::timestamptz`,
    'create function public.mine() returns integer language sql return 1',
    `create type ${service}.mine as enum ('a')`,
    `create operator ${service}.= (leftarg = text, rightarg = text, function = texteq)`,
    'create extension pg_trgm',
    'create database mine',
    'create role mine',
    'create event trigger mine on ddl_command_end execute function suppress_redundant_updates_trigger()',
    'select lo_create(0)',
    'select lo_creat(-1)',
    `select lo_from_bytea(0, '\\x00')`,
  ])('%s is denied', async (statement) => {
    expect(await run(statement)).toBe(DENIED);
  });

  test.each([
    'set role postgres',
    `set role ${service}_owner`,
    'set role platform_owner',
    `set role ${other}`,
    'set session authorization postgres',
    `alter role ${service} superuser`,
    `alter role ${service} createdb bypassrls`,
    `alter role ${service} connection limit -1`,
    `alter role ${other} password 'mine'`,
    `alter role ${other} set search_path = mine`,
    'alter role postgres set search_path = mine',
    `alter database ${DATABASE} set search_path = mine`,
    'alter system set port = 1',
    'set session_replication_role = replica',
    `grant ${service}_owner to ${service}`,
    `grant pg_read_all_data to ${service}`,
    `grant usage on schema ${service} to ${other}`,
  ])('%s has no effect', async (statement) => {
    const readRoles = async () =>
      (
        await admin.query(`select rolname, rolsuper, rolcreatedb, rolbypassrls, rolconnlimit, rolconfig,
        pg_has_role(rolname, 'pg_read_all_data', 'member') as reads from pg_roles order by 1`)
      ).rows;
    const before = await readRoles();
    const code = await run(statement);
    // For some objects, PostgreSQL responds to `grant usage` without the required privilege with a warning, not with an error. The checks
    // below test that such a statement has no effect.
    if (!statement.startsWith('grant usage')) expect(code).toBe(DENIED);
    expect(await readRoles()).toEqual(before);
    const { rows } = await admin.query(
      `select has_schema_privilege('${other}', '${service}', 'usage') as shared`,
    );
    expect(rows).toEqual([{ shared: false }]);
  });

  test.each([
    `copy (select 1) to program 'id'`,
    `copy platform.none from program 'id'`,
    `copy (select 1) to '/tmp/carecover-stolen'`,
    `select pg_read_file('postgresql.conf')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    'select pg_reload_conf()',
    'select * from pg_authid',
  ])('%s is denied', async (statement) => {
    expect([DENIED, '42P01']).toContain(await run(statement));
  });

  test('no table, view or function of another schema can be used', async () => {
    const { rows } = await admin.query<{ statement: string }>(
      `
      select 'select * from ' || c.oid::regclass || ' limit 1' as statement
        from pg_class c where relkind in ('r', 'v', 'S')
         and relnamespace::regnamespace::text = any ($1) and relnamespace::regnamespace::text <> $2
      union all select 'select payments.derive_balances()' where $2 <> 'payments'`,
      [SERVICES_WITH_SCHEMA, service],
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { statement } of rows) expect([statement, await run(statement)]).toEqual([statement, DENIED]);
  });

  test('it cannot truncate, alter or drop its own tables, add triggers or rules, or read the migrations table', async () => {
    const { rows } = await admin.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = $1::regnamespace`,
      [service],
    );
    for (const { name } of rows) {
      for (const statement of [
        `truncate ${name}`,
        `alter table ${name} disable trigger all`,
        `create trigger mine before insert on ${name} execute function suppress_redundant_updates_trigger()`,
        `create rule mine as on insert to ${name} do nothing`,
        `drop table ${name}`,
      ]) {
        expect([statement, await run(statement)]).toEqual([statement, DENIED]);
      }
    }
    expect(await run(`select * from ${service}.migrations`)).toBe(DENIED);
  });

  test.each(['postgres', 'template1'])('it cannot connect to the database %s', async (database) => {
    await expect(connect(addressOf(service, database))).rejects.toMatchObject({ code: DENIED });
  });
});

const POSTING = `insert into payments.postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at)
  values ('prj_1', $1, 'charges', 'payer_liability', 100, 'KES', 'attack', now())`;

async function openAccount(attacker: Client, claimId: string): Promise<void> {
  await attacker.query(
    `insert into payments.claim_accounts (claim_id, project_id, environment, currency, adjudication_id, adjudication_version)
     values ($1, 'prj_1', 'sandbox', 'KES', 'adj_1', 1)`,
    [claimId],
  );
}

async function balanceOf(claimId: string): Promise<unknown> {
  const { rows } = await admin.query(
    'select payer_liability::integer as balance from payments.claim_accounts where claim_id = $1',
    [claimId],
  );
  return rows[0]?.balance;
}

test('a posting changes its balance, also with a hostile search path', async () => {
  // Grants the role the privileges to create temporary tables and to own a schema. The ledger must be safe even then.
  await admin.query(`grant temporary on database ${DATABASE} to payments;
    create schema trap authorization payments; create table public.who (role text);
    grant usage on schema public to public; grant insert on public.who to public`);
  const attacker = await connect(addressOf('payments'));
  try {
    await openAccount(attacker, 'clm_attacked');
    for (const schema of ['pg_temp', 'trap']) {
      await attacker.query(`
        create function ${schema}.strike() returns trigger language plpgsql as
          $$ begin insert into public.who values (current_user); return null; end $$;
        create table ${schema}.claim_accounts (like payments.claim_accounts);
        create trigger strike before insert or update on ${schema}.claim_accounts
          for each statement execute function ${schema}.strike();
        create table ${schema}.posted (claim_id text, source text, destination text, amount bigint);
        create function ${schema}.sum(bigint) returns bigint language plpgsql as
          $$ begin insert into public.who values (current_user); return 0; end $$;`);
    }
    await attacker.query('set search_path = trap, pg_temp, pg_catalog, payments');
    await attacker.query(POSTING, ['clm_attacked']);
    expect(await balanceOf('clm_attacked')).toBe(100);
    expect((await admin.query('select role from public.who')).rows).toEqual([]);
  } finally {
    await attacker.end();
    await admin.query(`drop schema trap cascade; drop table public.who; revoke usage on schema public from public;
      revoke temporary on database ${DATABASE} from payments`);
  }
});

test('the role cannot insert an account with a balance or update a balance', async () => {
  const attacker = attackers.get('payments') as Client;
  await openAccount(attacker, 'clm_plain');
  for (const statement of [
    `insert into payments.claim_accounts
       (claim_id, project_id, environment, currency, adjudication_id, adjudication_version, charges, payer_liability)
     values ('clm_rich', 'prj_1', 'sandbox', 'KES', 'adj_1', 1, -100, 100)`,
    `update payments.claim_accounts set charges = -100, payer_liability = 100`,
    'update payments.postings set amount = 1',
    'delete from payments.postings',
  ]) {
    expect(await executeStatement(attacker, statement)).toBe(DENIED);
  }
});

test('only a migration changes how long the audit log is kept, and the log has an entry about it', async () => {
  await migrate({ ...options, auditRetentionDays: 4_000 });
  await migrate({ ...options, auditRetentionDays: 4_000 });
  await migrate(options);
  await admin.query(`insert into gateway.audit_log (at, actor, action, subject)
    select platform.now() - days * interval '1 day', 'amina', 'test', days from unnest(array[3900, 4100]) days`);
  const attacker = await connect(addressOf('gateway'));
  expect(await executeStatement(attacker, 'update audit_retention set days = 365')).toBe(DENIED);
  expect(await executeStatement(attacker, "delete from audit_log where subject = '3900'")).toBe('P0001');
  expect(await executeStatement(attacker, "delete from audit_log where subject = '4100'")).toBeNull();
  await attacker.end();
  const { rows } = await admin.query('select actor, action, subject from gateway.audit_log order by id');
  expect(rows).toEqual([
    { actor: 'migrate', action: 'audit.retention', subject: 'audit_log' },
    { actor: 'amina', action: 'test', subject: '3900' },
    { actor: 'gateway', action: 'audit.delete', subject: 'audit_log' },
  ]);
});

test('the next migration restores settings that a role changed for itself', async () => {
  const attacker = await connect(addressOf('care'));
  await attacker.query(`alter role care set search_path = nowhere;
    alter role care in database ${DATABASE} set statement_timeout = 0; alter role care password 'mine'`);
  await attacker.end();
  await migrate(options);
  const restored = await connect(addressOf('care'));
  const { rows } = await restored.query(
    `select current_setting('search_path') as path, current_setting('statement_timeout') as timeout`,
  );
  await restored.end();
  expect(rows).toEqual([{ path: '"$user", public', timeout: '15s' }]);
});

test('a migration removes the privileges and memberships of an existing role', async () => {
  await admin.query(
    `alter role care superuser createdb inherit; grant pg_read_all_data to care; grant claims_owner to care`,
  );
  await migrate(options);
  const { rows } = await admin.query(
    `select rolsuper or rolcreatedb or rolinherit as privileged, pg_has_role('care', 'pg_read_all_data', 'member') as reads,
            pg_has_role('care', 'claims_owner', 'member') as owns from pg_roles where rolname = 'care'`,
  );
  expect(rows).toEqual([{ privileged: false, reads: false, owns: false }]);
});

test('one role cannot use all connections', async () => {
  const { rows } = await admin.query(
    `select rolconnlimit between 1 and current_setting('max_connections')::integer / 2 as limited
       from pg_roles where rolname = any ($1)`,
    [SERVICES_WITH_SCHEMA],
  );
  expect(rows).toEqual(SERVICES_WITH_SCHEMA.map(() => ({ limited: true })));
});

test('a database whose schema belongs to another role is rejected', async () => {
  await ensureDatabase(server.cluster, 'taken');
  const client = await connect(addressOf('postgres', 'taken'));
  await client.query('create schema payments');
  await client.end();
  await expect(migrate({ ...options, adminUrl: addressOf('postgres', 'taken') })).rejects.toThrow(
    'The schema payments belongs to the role postgres, but must belong to payments_owner',
  );
});

test('an administrator without superuser can migrate', async () => {
  const own = await startTestPostgres();
  try {
    const owner = await connect(own.cluster);
    await owner.query(`create role manager login createdb createrole password '${PASSWORD}'`);
    await owner.query('create database managed owner manager');
    await owner.end();
    const url = new URL(own.cluster);
    url.username = 'manager';
    url.password = PASSWORD;
    url.pathname = 'managed';
    await migrate({ ...options, adminUrl: url.href });
    await migrate({ ...options, adminUrl: url.href });
  } finally {
    await own.stop();
  }
});

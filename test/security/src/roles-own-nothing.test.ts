/**
 * Attacks the guarantee that the database role of a service owns no object and can't execute code with more privileges than its own. Checks
 * the whole catalog of the database, so that later migrations are checked too.
 */

import { SERVICES_WITH_SCHEMA } from '@carecover/setup/migrate';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { Client } from 'pg';

let database: TestDatabase;
let admin: Client;
beforeAll(async () => {
  database = await createTestDatabase({ services: [...SERVICES_WITH_SCHEMA], mode: 'production' });
  admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

/** Executes a query and returns the first column of its rows. */
async function queryColumn(query: string): Promise<string[]> {
  const { rows } = await admin.query<string[]>({ text: query, rowMode: 'array' });
  return rows.map(([first]) => first ?? '');
}

/** Returns SQL that is true for objects of PostgreSQL itself or of an extension, which belong to the role that created the cluster. */
const isPreinstalled = (catalog: string, oid: string) => `(${oid} < 16384 or exists (
  select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e'))`;
const LOGIN_OR_SUPER = '(select oid from pg_roles where rolcanlogin or rolsuper)';
const SERVICES = SERVICES_WITH_SCHEMA.map((service) => `'${service}'`).join(', ');

test('the catalog has the expected schemas and functions', async () => {
  expect(
    await queryColumn(`select nspname from pg_namespace where nspname in (${SERVICES}, 'platform')`),
  ).toHaveLength(7);
  expect(
    await queryColumn(
      `select proname from pg_proc where prosecdef and not ${isPreinstalled('pg_proc', 'oid')} order by proname`,
    ),
  ).toEqual(['delete_attempts', 'derive_balances']);
});

test('every SECURITY DEFINER function has a search path that begins with pg_catalog and ends with pg_temp', async () => {
  const unsafe = await queryColumn(`
    select oid::regprocedure::text from pg_proc
     where prosecdef and not exists (
       select from unnest(proconfig) setting where setting ~ '^search_path=pg_catalog(, ?[a-z]+)*, ?pg_temp$')`);
  expect(unsafe).toEqual([]);
});

test('no function, relation, type, schema or database belongs to a role that is a superuser or can log in', async () => {
  const owned = await queryColumn(`
    select 'function ' || oid::regprocedure from pg_proc
     where proowner in ${LOGIN_OR_SUPER} and not ${isPreinstalled('pg_proc', 'oid')}
    union all select 'relation ' || oid::regclass from pg_class
     where relowner in ${LOGIN_OR_SUPER} and not ${isPreinstalled('pg_class', 'oid')}
    union all select 'type ' || oid::regtype from pg_type
     where typowner in ${LOGIN_OR_SUPER} and not ${isPreinstalled('pg_type', 'oid')}
    union all select 'schema ' || nspname from pg_namespace
     where nspowner in ${LOGIN_OR_SUPER} and oid >= 16384 and nspname !~ '^pg_(toast_)?temp_'
    union all select 'database ' || datname from pg_database
     where datdba in ${LOGIN_OR_SUPER} and datname = current_database()
    union all select 'large object ' || oid from pg_largeobject_metadata`);
  expect(owned).toEqual([]);
});

test('PUBLIC has no privilege on functions, relations, schemas or the database', async () => {
  const granted = await queryColumn(`
    select 'function ' || p.oid::regprocedure from pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) a
     where a.grantee = 0 and not ${isPreinstalled('pg_proc', 'p.oid')}
    union all select 'relation ' || c.oid::regclass from pg_class c, aclexplode(relacl) a
     where a.grantee = 0 and not ${isPreinstalled('pg_class', 'c.oid')}
    union all select 'schema ' || nspname from pg_namespace, aclexplode(nspacl) a
     where a.grantee = 0 and nspname not in ('pg_catalog', 'information_schema')
    union all select 'enum ' || t.oid::regtype from pg_type t, aclexplode(coalesce(typacl, acldefault('T', typowner))) a
     where a.grantee = 0 and typtype in ('e', 'd') and t.oid >= 16384
    union all select 'database ' || datname || ' ' || a.privilege_type
     from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) a
     where a.grantee = 0 and datname = current_database()`);
  expect(granted).toEqual([]);
});

/** Name of the role that owns Temporal's databases. It exists if another suite of the test run has started a Temporal server. */
const TEMPORAL_OWNER = 'temporal_owner';

test('a service role can only log in; an owner role cannot log in', async () => {
  const { rows } = await admin.query(`
    select rolname, rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolinherit, rolreplication, rolbypassrls,
           rolconnlimit > 0 as limited
      from pg_roles where rolname in (${SERVICES}) or rolname ~ '_owner$'
        and rolname not in ('pg_database_owner', '${TEMPORAL_OWNER}') order by 1`);
  const unprivileged = {
    rolsuper: false,
    rolcreatedb: false,
    rolcreaterole: false,
    rolinherit: false,
    rolreplication: false,
    rolbypassrls: false,
  };
  const names = [
    ...SERVICES_WITH_SCHEMA,
    ...SERVICES_WITH_SCHEMA.map((name) => `${name}_owner`),
    'platform_owner',
  ];
  expect(rows).toEqual(
    names.sort().map((rolname) => {
      const isService = !rolname.endsWith('_owner');
      return { rolname, rolcanlogin: isService, limited: isService, ...unprivileged };
    }),
  );
  expect(
    await queryColumn(`select member::regrole::text from pg_auth_members where member >= 16384`),
  ).toEqual([]);
});

test('a service role has privileges only in its own schema and on the functions of the platform schema', async () => {
  const otherPrivileges = await queryColumn(`
    with grants as (
      select 'relation ' || c.oid::regclass as object, nspname, a.grantee from pg_class c
        join pg_namespace n on n.oid = relnamespace, aclexplode(relacl) a where a.grantee <> c.relowner
      union all select 'function ' || p.oid::regprocedure, nspname, a.grantee from pg_proc p
        join pg_namespace n on n.oid = pronamespace, aclexplode(proacl) a where a.grantee <> p.proowner
      union all select 'schema ' || nspname, nspname, a.grantee
        from pg_namespace, aclexplode(nspacl) a where a.grantee <> nspowner
    )
    select distinct rolname || ' ' || object from grants join pg_roles on oid = grantee
     where rolname in (${SERVICES}) and nspname <> rolname
       and object not in ('function platform.now()', 'function platform.real_now()', 'function platform.is_simulated(text)',
         'relation platform.project_clocks', 'schema platform')`);
  expect(otherPrivileges).toEqual([]);
});

test('no other role has privileges on objects that owners create later', async () => {
  await admin.query(`set role payments_owner;
    create function payments.later() returns integer language sql return 1; create table payments.later_too ();
    reset role`);
  const granted = await queryColumn(`
    select proname from pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner))) a
     where proname = 'later' and a.grantee <> proowner
    union all select relname from pg_class, aclexplode(relacl) a where relname = 'later_too' and a.grantee <> relowner`);
  expect(granted).toEqual([]);
});

test('in production mode the clock has no offset', async () => {
  expect(await queryColumn(`select relname from pg_class where relname = 'clock_offset'`)).toEqual([]);
});

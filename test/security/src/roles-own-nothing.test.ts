/**
 * Guarantee: whoever holds a service's database role owns nothing, and no code that the role can reach runs with more rights
 * than it has. Stated over all of the catalog, so that it holds for the next migration too.
 */
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { SERVICES_WITH_SCHEMA } from '@carecover/platform/migrate';
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

/** The first column of the rows. */
async function listed(query: string): Promise<string[]> {
  const { rows } = await admin.query<string[]>({ text: query, rowMode: 'array' });
  return rows.map(([first]) => first ?? '');
}

/** Of PostgreSQL itself, or of an extension, whose objects belong to whoever created the cluster. */
const foreign = (catalog: string, oid: string) => `(${oid} < 16384 or exists (
  select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e'))`;
const LOGIN_OR_SUPER = '(select oid from pg_roles where rolcanlogin or rolsuper)';
const SERVICES = SERVICES_WITH_SCHEMA.map((service) => `'${service}'`).join(', ');

test('the catalog has functions, tables and schemas to look at', async () => {
  expect(
    await listed(`select nspname from pg_namespace where nspname in (${SERVICES}, 'platform')`),
  ).toHaveLength(7);
  expect(
    await listed(`select proname from pg_proc where prosecdef and not ${foreign('pg_proc', 'oid')}`),
  ).toEqual(['derive_balances']);
});

test('every SECURITY DEFINER function has a search path that begins with pg_catalog and ends with pg_temp', async () => {
  const open = await listed(`
    select oid::regprocedure::text from pg_proc
     where prosecdef and not exists (
       select from unnest(proconfig) setting where setting ~ '^search_path=pg_catalog(, ?[a-z]+)*, ?pg_temp$')`);
  expect(open).toEqual([]);
});

test('no function, relation, type, schema or database belongs to a role that is a superuser or can log in', async () => {
  const owned = await listed(`
    select 'function ' || oid::regprocedure from pg_proc
     where proowner in ${LOGIN_OR_SUPER} and not ${foreign('pg_proc', 'oid')}
    union all select 'relation ' || oid::regclass from pg_class
     where relowner in ${LOGIN_OR_SUPER} and not ${foreign('pg_class', 'oid')}
    union all select 'type ' || oid::regtype from pg_type
     where typowner in ${LOGIN_OR_SUPER} and not ${foreign('pg_type', 'oid')}
    union all select 'schema ' || nspname from pg_namespace
     where nspowner in ${LOGIN_OR_SUPER} and oid >= 16384 and nspname !~ '^pg_(toast_)?temp_'
    union all select 'database ' || datname from pg_database
     where datdba in ${LOGIN_OR_SUPER} and datname = current_database()
    union all select 'large object ' || oid from pg_largeobject_metadata`);
  expect(owned).toEqual([]);
});

test('PUBLIC has no privilege on functions, relations, schemas or the database', async () => {
  const granted = await listed(`
    select 'function ' || p.oid::regprocedure from pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) a
     where a.grantee = 0 and not ${foreign('pg_proc', 'p.oid')}
    union all select 'relation ' || c.oid::regclass from pg_class c, aclexplode(relacl) a
     where a.grantee = 0 and not ${foreign('pg_class', 'c.oid')}
    union all select 'schema ' || nspname from pg_namespace, aclexplode(nspacl) a
     where a.grantee = 0 and nspname not in ('pg_catalog', 'information_schema')
    union all select 'enum ' || t.oid::regtype from pg_type t, aclexplode(coalesce(typacl, acldefault('T', typowner))) a
     where a.grantee = 0 and typtype in ('e', 'd') and t.oid >= 16384
    union all select 'database ' || datname || ' ' || a.privilege_type
     from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) a
     where a.grantee = 0 and datname = current_database()`);
  expect(granted).toEqual([]);
});

test('a service role can log in and nothing more; an owner role can not even log in', async () => {
  const { rows } = await admin.query(`
    select rolname, rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolinherit, rolreplication, rolbypassrls,
           rolconnlimit > 0 as limited
      from pg_roles where rolname in (${SERVICES}) or rolname ~ '_owner$' and rolname <> 'pg_database_owner' order by 1`);
  const plain = {
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
      const service = !rolname.endsWith('_owner');
      return { rolname, rolcanlogin: service, limited: service, ...plain };
    }),
  );
  expect(await listed(`select member::regrole::text from pg_auth_members where member >= 16384`)).toEqual([]);
});

test('a service role has privileges in its own schema, on the clock, and nowhere else', async () => {
  const elsewhere = await listed(`
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
       and object not in ('function platform.now()', 'schema platform')`);
  expect(elsewhere).toEqual([]);
});

test('what owners create later belongs to nobody else until it is granted', async () => {
  await admin.query(`set role payments_owner;
    create function payments.later() returns integer language sql return 1; create table payments.later_too ();
    reset role`);
  const granted = await listed(`
    select proname from pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner))) a
     where proname = 'later' and a.grantee <> proowner
    union all select relname from pg_class, aclexplode(relacl) a where relname = 'later_too' and a.grantee <> relowner`);
  expect(granted).toEqual([]);
});

test('in production mode there is no clock that could be moved', async () => {
  expect(await listed(`select relname from pg_class where relname = 'clock_offset'`)).toEqual([]);
});

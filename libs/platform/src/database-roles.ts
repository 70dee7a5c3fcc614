/**
 * Who may do what in the database, see docs/decisions/0013-database-roles.md. Each service has two roles: one that logs in and
 * owns nothing, with the name of the service; and one that owns the service's schema and can't log in. No role can create an
 * object but the owners, and nobody is granted anything by way of PUBLIC.
 */
import type { Client } from 'pg';

/** Owns the database, and the schema `platform` with the clock. */
export const PLATFORM_OWNER = 'platform_owner';

export const ownerOf = (service: string) => `${service}_owner`;

/** In `template`, `%I` is replaced with the quoted name. */
const quoted = (client: Client, template: string, name: string) =>
  template.replaceAll('%I', client.escapeIdentifier(name));

/** The attributes that a role of this name may have from before, each with what takes it away. */
const WITHDRAWN_ATTRIBUTES = `
  select concat_ws(' ',
      case when rolsuper then 'nosuperuser' end, case when rolcreatedb then 'nocreatedb' end,
      case when rolcreaterole then 'nocreaterole' end, case when rolinherit then 'noinherit' end,
      case when rolreplication then 'noreplication' end, case when rolbypassrls then 'nobypassrls' end) as withdrawn
    from pg_catalog.pg_roles where rolname = $1`;

/**
 * What a connection starts with that sets no limits of its own. The client of the services sets its own; a role may change
 * them in its session, so they guard against mistakes. Against a stolen password stands the connection limit.
 */
const SESSION_LIMITS = {
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '15s',
  transaction_timeout: '10min',
};

async function ensureRole(client: Client, role: string, attributes: string): Promise<void> {
  // Several databases of one server may be migrated at the same time, and roles are the server's.
  const create = quoted(client, 'create role %I nologin', role);
  await client.query(
    `do $$ begin ${create}; exception when duplicate_object or unique_violation then null; end $$`,
  );
  const { rows } = await client.query<{ withdrawn: string }>(WITHDRAWN_ATTRIBUTES, [role]);
  const [known] = rows;
  if (known === undefined) throw new Error(`The role ${role} could not be created.`);
  await client.query(quoted(client, `alter role %I ${known.withdrawn} ${attributes}`, role));
  const memberships = await client.query<{ name: string }>(
    'select roleid::regrole::text as name from pg_catalog.pg_auth_members where member = $1::regrole',
    [client.escapeIdentifier(role)],
  );
  for (const { name } of memberships.rows) {
    await client.query(quoted(client, `revoke ${name} from %I`, role));
  }
}

/** Creates the role that owns objects, which nobody can log in as; the connection may act as it. */
export async function ensureOwnerRole(client: Client, role: string): Promise<void> {
  await ensureRole(client, role, 'nologin password null');
  // A superuser may act as any role; another administrator must be told to, having created it.
  await client.query(
    quoted(
      client,
      `do $$ begin if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
         grant %I to current_user with inherit true, set true; end if; end $$`,
      role,
    ),
  );
  // What it creates from now on is nobody else's until it is granted. Tables, sequences and schemas are so by default.
  for (const kind of ['execute on functions', 'usage on types']) {
    await client.query(
      quoted(client, `alter default privileges for role %I revoke ${kind} from public`, role),
    );
  }
}

/** Creates the role that a service logs in as, or brings it back to what it must be: a role may change its own settings. */
export async function ensureServiceRole(client: Client, role: string, password: string): Promise<void> {
  const { rows } = await client.query<{ connections: number }>(
    `select current_setting('max_connections')::integer / 2 as connections`,
  );
  const limit = `connection limit ${rows[0]?.connections ?? -1}`;
  await ensureRole(client, role, `login ${limit} password ${client.escapeLiteral(password)}`);
  for (const place of ['', `in database ${client.escapeIdentifier(client.database ?? '')}`]) {
    await client.query(quoted(client, `alter role %I ${place} reset all`, role));
  }
  for (const [name, value] of Object.entries(SESSION_LIMITS)) {
    await client.query(quoted(client, `alter role %I set ${name} = '${value}'`, role));
  }
}

/** Functions of PostgreSQL by which anybody may create large objects, which would belong to the role that calls them. */
const LARGE_OBJECT_CREATORS = 'lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea)';

/**
 * Leaves to PUBLIC nothing of the connection's database, and to these services' roles that they may connect. A database that is
 * copied from another one has that one's objects, but neither its owner nor its privileges.
 */
export async function closeDatabase(client: Client, services: readonly string[]): Promise<void> {
  const database = client.escapeIdentifier(client.database ?? '');
  const roles = services.map((service) => client.escapeIdentifier(service)).join(', ');
  await client.query(`
    alter database ${database} owner to ${PLATFORM_OWNER};
    revoke all on database ${database} from public;
    grant connect on database ${database} to ${roles};
    revoke all on schema public from public;`);
  const { rows } = await client.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_catalog.pg_roles where rolname = current_user',
  );
  if (rows[0]?.rolsuper === true) {
    await client.query(`revoke execute on function ${LARGE_OBJECT_CREATORS} from public`);
  }
}

/**
 * Database roles and their privileges, see docs/decisions/0013-database-roles.md. Each service has a login role with the service's
 * name, which owns nothing, and an owner role of the service's schema, which can't log in. PUBLIC has no privileges.
 */
import type { Client } from 'pg';

/** Owner of the database and of the schema `platform`, which contains the clock. */
export const PLATFORM_OWNER = 'platform_owner';

export const ownerOf = (service: string) => `${service}_owner`;

/** Replaces `%I` in the template with the quoted name. */
const quoted = (client: Client, template: string, name: string) =>
  template.replaceAll('%I', client.escapeIdentifier(name));

/** SQL query that returns options for `alter role`, such as `nosuperuser nocreatedb`: one for each attribute that the existing role has. */
const WITHDRAWN_ATTRIBUTES = `
  select concat_ws(' ',
      case when rolsuper then 'nosuperuser' end, case when rolcreatedb then 'nocreatedb' end,
      case when rolcreaterole then 'nocreaterole' end, case when rolinherit then 'noinherit' end,
      case when rolreplication then 'noreplication' end, case when rolbypassrls then 'nobypassrls' end) as withdrawn
    from pg_catalog.pg_roles where rolname = $1`;

/**
 * Default settings of a service role's sessions. A session can change them, so they protect against mistakes only. The role's limit of
 * connections, which a session can't change, also protects the server if the password is stolen.
 */
const SESSION_LIMITS = {
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '15s',
  transaction_timeout: '10min',
};

async function ensureRole(client: Client, role: string, attributes: string): Promise<void> {
  // Roles belong to the whole PostgreSQL server, so the migration of another database can create the same role concurrently. The error
  // that the role exists is ignored.
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

/** Creates an owner role, which can't log in. The administrator's connection can switch to the role with `set role`. */
export async function ensureOwnerRole(client: Client, role: string): Promise<void> {
  await ensureRole(client, role, 'nologin password null');
  // A superuser can switch to any role. Another administrator must first be granted the role.
  await client.query(
    quoted(
      client,
      `do $$ begin if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
         grant %I to current_user with inherit true, set true; end if; end $$`,
      role,
    ),
  );
  // PostgreSQL by default lets PUBLIC execute new functions and use new types. The owner role's default privileges revoke this.
  for (const kind of ['execute on functions', 'usage on types']) {
    await client.query(
      quoted(client, `alter default privileges for role %I revoke ${kind} from public`, role),
    );
  }
}

/** Creates a service's login role, or resets an existing one, because a role can change its own settings. */
export async function ensureServiceRole(client: Client, role: string, password: string): Promise<void> {
  const { rows } = await client.query<{ connections: number }>(
    `select current_setting('max_connections')::integer / 2 as connections`,
  );
  const limit = `connection limit ${rows[0]?.connections ?? -1}`;
  await ensureRole(client, role, `login ${limit} password ${client.escapeLiteral(password)}`);
  for (const scope of ['', `in database ${client.escapeIdentifier(client.database ?? '')}`]) {
    await client.query(quoted(client, `alter role %I ${scope} reset all`, role));
  }
  for (const [name, value] of Object.entries(SESSION_LIMITS)) {
    await client.query(quoted(client, `alter role %I set ${name} = '${value}'`, role));
  }
}

/** PostgreSQL's functions that create large objects. By default every role can execute them and would own the large objects. */
const LARGE_OBJECT_CREATORS = 'lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea)';

/**
 * Revokes all privileges of PUBLIC on the connection's database, and lets the roles of `services` connect. Call it for a copied
 * database too: the copy has the objects of the original, but not its owner and privileges.
 */
export async function restrictDatabase(client: Client, services: readonly string[]): Promise<void> {
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

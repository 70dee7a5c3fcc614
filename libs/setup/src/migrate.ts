/**
 * Migrates a database to the current schema, forward only. The migration can run repeatedly and concurrently: node-pg-migrate takes a lock.
 * A release runs beside the previous one, so a migration only expands the schema, and a later release contracts it.
 */
import { join } from 'node:path';
import { Client } from 'pg';
import { applyMigrations } from './apply-migrations';
import {
  ensureOwnerRole,
  ensureServiceRole,
  ownerOf,
  PLATFORM_OWNER,
  restrictDatabase,
} from './database-roles';
import { repositoryRoot } from './repository';

export const SERVICES_WITH_SCHEMA = [
  'gateway',
  'care',
  'benefits',
  'claims',
  'payments',
  'webhooks',
] as const;
export type ServiceName = (typeof SERVICES_WITH_SCHEMA)[number];

export interface MigrateOptions {
  /** URL of a superuser, or of the database's owner with the attributes CREATEROLE and CREATEDB. */
  readonly adminUrl: string;
  /** Whether tests can change the time that `platform.now()` returns. Never true in production. */
  readonly testClock: boolean;
  readonly services?: readonly ServiceName[];
  /** For how many days entries of the audit log are kept; omitted: as before, at first 3650. */
  readonly auditRetentionDays?: number;
  /** The password of each service's login role. */
  readonly passwords: Readonly<Record<ServiceName, string>>;
}

/**
 * Returns SQL for `platform.real_now()`, the real time in milliseconds. A test can add an offset to it or stop it.
 */
function clockSql(testClock: boolean): string {
  // A function body with `return` is parsed when the function is created, so the search path of a session has no effect on it.
  const define =
    'create or replace function platform.real_now() returns timestamptz language sql volatile return';
  if (!testClock) {
    return `${define} date_trunc('milliseconds', clock_timestamp());
      drop table if exists platform.clock_offset;`;
  }
  return `create table if not exists platform.clock_offset
      (one boolean primary key default true check (one), ms bigint not null, stands_at timestamptz(3));
    insert into platform.clock_offset (ms) values (0) on conflict do nothing;
    ${define} (select coalesce(stands_at, date_trunc('milliseconds', clock_timestamp()) + ms * interval '1 millisecond')
      from platform.clock_offset);`;
}

/**
 * SQL for `platform.now()`, the clock of all rules: the real time, or in a transaction for a simulated project the project's time, which the
 * process sets (libs/postgres/src/project-time.ts). PostgreSQL inlines the functions, so the real time costs nothing more.
 */
const PROJECT_TIME_SQL = `
  create table if not exists platform.project_clocks (project_id text collate "C" primary key, now timestamptz(3) not null, moved_for uuid,
    seed text unique);
  comment on table platform.project_clocks is 'The time of each simulated project. The gateway writes it, the services read it.';
  comment on column platform.project_clocks.moved_for is
    'The idempotency key of the latest write that moved the clock, as a digest. Null before the first, and after a write without a key.';
  comment on column platform.project_clocks.seed is
    'Of which the IDs of the project follow; null: they are random. Unique, because IDs are unique in an installation.';
  create or replace function platform.now() returns timestamptz language sql volatile
    return coalesce(nullif(current_setting('carecover.now', true), '')::timestamptz, platform.real_now());
  create or replace function platform.is_simulated(project_id text) returns boolean language sql immutable parallel safe
    return right(project_id, 4) = '_sim';`;

/** SQL that sets for how many days entries of the audit log are kept. A change has an entry in the log. */
const SET_AUDIT_RETENTION = `
  with changed as (update gateway.audit_retention set days = $1 where days <> $1 returning old.days as before, new.days)
  insert into gateway.audit_log (actor, action, subject, details)
  select 'migrate', 'audit.retention', 'audit_log', to_jsonb(changed) from changed`;

/** Creates the schema if it does not exist. @throws Error if another role owns it, because an owner can change the schema's objects */
async function ensureSchema(client: Client, schema: string, owner: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `select pg_get_userbyid(nspowner) as owner from pg_catalog.pg_namespace where nspname = $1`,
    [schema],
  );
  const [known] = rows;
  if (known === undefined) await client.query(`create schema ${schema} authorization ${owner}`);
  else if (known.owner !== owner) {
    throw new Error(
      `The schema ${schema} belongs to the role ${known.owner}, but must belong to ${owner}: create a new database.`,
    );
  }
}

async function preparePlatformSchema(
  client: Client,
  options: MigrateOptions,
  services: readonly ServiceName[],
): Promise<void> {
  await client.query('select pg_advisory_lock(726174)');
  try {
    await ensureOwnerRole(client, PLATFORM_OWNER);
    for (const service of services) {
      await ensureOwnerRole(client, ownerOf(service));
      await ensureServiceRole(client, service, options.passwords[service]);
    }
    await restrictDatabase(client, services);
    await client.query('create extension if not exists btree_gist schema public');
    await ensureSchema(client, 'platform', PLATFORM_OWNER);
    await asRole(client, PLATFORM_OWNER, async () => {
      await client.query(clockSql(options.testClock));
      await client.query(PROJECT_TIME_SQL);
      const users = services.flatMap((service) => [service, ownerOf(service)]).join(', ');
      await client.query(`grant usage on schema platform to ${users};
        grant execute on function platform.now(), platform.real_now(), platform.is_simulated(text) to ${users};
        grant select on platform.project_clocks to ${services.join(', ')};`);
      if (services.includes('gateway'))
        await client.query('grant insert, update on platform.project_clocks to gateway');
      if (options.testClock) await client.query(`grant select on platform.clock_offset to ${users}`);
    });
  } finally {
    await client.query('select pg_advisory_unlock(726174)');
  }
}

/** Runs `work` as a role, which then owns the objects that `work` creates. */
async function asRole(client: Client, role: string, work: () => Promise<void>): Promise<void> {
  await client.query(`set role ${role}`);
  try {
    await work();
  } finally {
    await client.query('reset role');
  }
}

/**
 * Returns the folders of a service's migrations: the shared migrations of libs/service, and its own. The gateway has only its own, because
 * the shared ones create the tables of commands and the outbox, which the gateway does not use.
 */
function migrationFolders(service: ServiceName): { dir: string; migrationsTable: string }[] {
  const root = repositoryRoot();
  const own = { dir: join(root, 'services', service, 'migrations'), migrationsTable: 'migrations' };
  const shared = { dir: join(root, 'libs/service/migrations'), migrationsTable: 'platform_migrations' };
  return service === 'gateway' ? [own] : [shared, own];
}

/**
 * Restores the owner and privileges on a copy of a migrated database.
 *
 * @param adminUrl URL of the copy, with an administrator's role
 */
export async function restrictCopiedDatabase(
  adminUrl: string,
  services: readonly ServiceName[],
): Promise<void> {
  await withConnection(adminUrl, (client) => restrictDatabase(client, services));
}

async function withConnection(adminUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Creates roles and schemas, and runs every migration that the database does not have yet. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const services = options.services ?? SERVICES_WITH_SCHEMA;
  await withConnection(options.adminUrl, async (client) => {
    await preparePlatformSchema(client, options, services);
    for (const service of services) {
      await ensureSchema(client, service, ownerOf(service));
      await asRole(client, ownerOf(service), () => runMigrations(client, service));
    }
    const { auditRetentionDays } = options;
    if (services.includes('gateway') && auditRetentionDays !== undefined) {
      await asRole(client, ownerOf('gateway'), async () => {
        await client.query(SET_AUDIT_RETENTION, [auditRetentionDays]);
      });
    }
  });
}

async function runMigrations(client: Client, service: ServiceName): Promise<void> {
  for (const folder of migrationFolders(service))
    await applyMigrations(client, { ...folder, schema: service });
}

/**
 * Brings a database to the current schema: forward only, safe to run again and by several at once (node-pg-migrate holds a
 * lock). Old and new code run side by side on each step: expand first, contract in a later release.
 */
import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';
import { closeDatabase, ensureOwnerRole, ensureServiceRole, ownerOf, PLATFORM_OWNER } from './database-roles';
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
  /** As a superuser, or as the database's owner with the attributes CREATEROLE and CREATEDB. */
  readonly adminUrl: string;
  /** Whether `platform.now()` reads an offset that a test can move. Never in production. */
  readonly testClock: boolean;
  readonly services?: readonly ServiceName[];
  /** The login password of each service's role. */
  readonly passwords: Readonly<Record<ServiceName, string>>;
}

/** The clock of every rule, in whole milliseconds. In a test an offset is added to it, or it stands still. */
function clockSql(testClock: boolean): string {
  // A body of this form names its functions and tables once and for all, whatever the caller's search path says.
  const define = 'create or replace function platform.now() returns timestamptz language sql volatile return';
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

/** Creates the schema for its owner alone. @throws where another role has it, which could change what is in it */
async function ensureSchema(client: Client, schema: string, owner: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `select pg_get_userbyid(nspowner) as owner from pg_catalog.pg_namespace where nspname = $1`,
    [schema],
  );
  const [known] = rows;
  if (known === undefined) await client.query(`create schema ${schema} authorization ${owner}`);
  else if (known.owner !== owner) {
    throw new Error(
      `The schema ${schema} belongs to the role ${known.owner}, and must belong to ${owner}: create a new database.`,
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
    await closeDatabase(client, services);
    await client.query('create extension if not exists btree_gist schema public');
    await ensureSchema(client, 'platform', PLATFORM_OWNER);
    await asRole(client, PLATFORM_OWNER, async () => {
      await client.query(clockSql(options.testClock));
      const users = services.flatMap((service) => [service, ownerOf(service)]).join(', ');
      await client.query(`grant usage on schema platform to ${users};
        grant execute on function platform.now() to ${users};`);
      if (options.testClock) await client.query(`grant select on platform.clock_offset to ${users}`);
    });
  } finally {
    await client.query('select pg_advisory_unlock(726174)');
  }
}

/** Runs work as this role, which owns whatever it creates. */
async function asRole(client: Client, role: string, work: () => Promise<void>): Promise<void> {
  await client.query(`set role ${role}`);
  try {
    await work();
  } finally {
    await client.query('reset role');
  }
}

/** The folders of a service's migrations; the gateway has no commands and no events. */
function migrationFolders(service: ServiceName): { dir: string; migrationsTable: string }[] {
  const root = repositoryRoot();
  const own = { dir: join(root, 'services', service, 'migrations'), migrationsTable: 'migrations' };
  const shared = { dir: join(root, 'libs/platform/migrations'), migrationsTable: 'platform_migrations' };
  return service === 'gateway' ? [own] : [shared, own];
}

/** Gives a copy of a migrated database the owner and the privileges of the original. `adminUrl` is the copy's. */
export async function closeCopiedDatabase(adminUrl: string, services: readonly ServiceName[]): Promise<void> {
  await connected(adminUrl, (client) => closeDatabase(client, services));
}

async function connected(adminUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Runs every migration that the database does not have yet, as the owner of what it creates. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const services = options.services ?? SERVICES_WITH_SCHEMA;
  await connected(options.adminUrl, async (client) => {
    await preparePlatformSchema(client, options, services);
    for (const service of services) {
      await ensureSchema(client, service, ownerOf(service));
      await asRole(client, ownerOf(service), () => runMigrations(client, service));
    }
  });
}

async function runMigrations(client: Client, service: ServiceName): Promise<void> {
  for (const { dir, migrationsTable } of migrationFolders(service)) {
    await runner({
      dbClient: client,
      dir,
      migrationsTable,
      direction: 'up',
      schema: service,
      migrationsSchema: service,
      checkOrder: true,
      log: () => undefined,
    });
  }
}

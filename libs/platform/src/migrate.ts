/**
 * Brings a database to the current schema: forward only, safe to run again and by several at once (node-pg-migrate holds a
 * lock). Old and new code run side by side on each step: expand first, contract in a later release.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import { Client } from 'pg';
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
  /** As a role that may create roles and schemas. */
  readonly adminUrl: string;
  /** Whether `platform.now()` reads an offset that a test can move. Never in production. */
  readonly testClock: boolean;
  readonly services?: readonly ServiceName[];
  /** The login password of each service's role. */
  readonly passwords: Readonly<Record<ServiceName, string>>;
}

async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  await client.query(
    `do $$ begin create role ${client.escapeIdentifier(role)} login; exception when duplicate_object or unique_violation then null; end $$`,
  );
  const known = await client.query('select 1 from pg_catalog.pg_roles where rolname = $1', [role]);
  if (known.rowCount !== 1) throw new Error(`the role ${role} could not be made`);
  await client.query(
    `alter role ${client.escapeIdentifier(role)} password ${client.escapeLiteral(password)}`,
  );
}

/** The clock of every rule, in whole milliseconds. In a test an offset is added to it, or it stands still. */
function clockSql(testClock: boolean): string {
  if (!testClock) {
    return `create or replace function platform.now() returns timestamptz language sql volatile
      as $$ select date_trunc('milliseconds', clock_timestamp()) $$;`;
  }
  return `create table if not exists platform.clock_offset (one boolean primary key default true check (one), ms bigint not null);
    alter table platform.clock_offset add column if not exists stands_at timestamptz(3);
    insert into platform.clock_offset (ms) values (0) on conflict do nothing;
    create or replace function platform.now() returns timestamptz language sql volatile
      as $$ select coalesce(stands_at, date_trunc('milliseconds', clock_timestamp()) + ms * interval '1 millisecond')
            from platform.clock_offset $$;`;
}

async function preparePlatformSchema(
  client: Client,
  options: MigrateOptions,
  services: readonly ServiceName[],
): Promise<void> {
  await client.query('select pg_advisory_lock(726174)');
  try {
    for (const service of services) await ensureRole(client, service, options.passwords[service]);
    await client.query('create schema if not exists platform');
    await client.query('create extension if not exists btree_gist schema public');
    await client.query(clockSql(options.testClock));
    const roles = services.map((service) => client.escapeIdentifier(service)).join(', ');
    await client.query(`grant usage on schema platform to ${roles}`);
    if (options.testClock) await client.query(`grant select, update on platform.clock_offset to ${roles}`);
  } finally {
    await client.query('select pg_advisory_unlock(726174)');
  }
}

/** Runs every migration that the database does not have yet. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const services = options.services ?? SERVICES_WITH_SCHEMA;
  const root = repositoryRoot();
  const client = new Client({ connectionString: options.adminUrl });
  await client.connect();
  try {
    await preparePlatformSchema(client, options, services);
    for (const service of services) {
      const folders = [
        { dir: join(root, 'libs/platform/migrations'), migrationsTable: 'platform_migrations' },
        { dir: join(root, 'services', service, 'migrations'), migrationsTable: 'migrations' },
      ];
      for (const { dir, migrationsTable } of folders) {
        if (!existsSync(dir)) continue;
        await runner({
          dbClient: client,
          dir,
          migrationsTable,
          direction: 'up',
          schema: [service, 'public'],
          migrationsSchema: service,
          createSchema: true,
          createMigrationsSchema: true,
          checkOrder: true,
          log: () => undefined,
        });
      }
    }
  } finally {
    await client.end();
  }
}

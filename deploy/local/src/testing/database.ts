/** A fresh, migrated database for a suite, copied from a template that the run's first suite of that kind makes. */
import { createHash, randomBytes } from 'node:crypto';
import {
  migrate,
  restrictCopiedDatabase,
  SERVICES_WITH_SCHEMA,
  type ServiceName,
} from '@carecover/setup/migrate';
import postgres from 'postgres';
import { CLUSTER_SETTING } from './test-cluster';

const PASSWORD = 'test';
/** Held while a template is made, so that it is made once. */
export const TEMPLATE_LOCK = 4_120_771;

export interface TestDatabaseOptions {
  /** Whose roles, schemas and migrations it gets. */
  services: readonly ServiceName[];
  /** `test` unless given: in that mode alone its clock can be moved. */
  mode?: 'test' | 'local' | 'production';
  /** The admin's address of the cluster that it is to be in; that of the run unless given. */
  cluster?: string;
}

export interface TestDatabase {
  readonly name: string;
  readonly adminUrl: string;
  /** Address for connecting as this service's role. */
  url(service: ServiceName): string;
  /** Moves `platform.now()` this many milliseconds away from the real time, for all its connections. */
  setClockOffset(offsetMs: number): Promise<void>;
  /** Lets `platform.now()` stand still at this instant, milliseconds since 1970, until `setClockOffset` lets it go on. */
  stopClock(atMs: number): Promise<void>;
  drop(): Promise<void>;
}

export async function createTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const cluster = options.cluster ?? clusterUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = await ensureTemplate(cluster, [...options.services].sort(), options.mode ?? 'test');
  await asAdmin(cluster, (sql) => sql`create database ${sql(name)} template ${sql(template)}`);
  const adminUrl = withDatabase(cluster, name);
  await restrictCopiedDatabase(adminUrl, options.services);
  return {
    name,
    adminUrl,
    url: (service) => {
      const url = new URL(adminUrl);
      url.username = service;
      url.password = PASSWORD;
      return url.href;
    },
    setClockOffset: (offsetMs) =>
      asAdmin(adminUrl, (sql) => sql`update platform.clock_offset set ms = ${offsetMs}, stands_at = null`),
    stopClock: (atMs) =>
      asAdmin(adminUrl, (sql) => sql`update platform.clock_offset set stands_at = ${new Date(atMs)}`),
    drop: () => asAdmin(cluster, (sql) => sql`drop database if exists ${sql(name)} with (force)`),
  };
}

async function ensureTemplate(cluster: string, services: ServiceName[], mode: string): Promise<string> {
  const hash = createHash('sha256')
    .update(JSON.stringify([services, mode]))
    .digest('hex')
    .slice(0, 12);
  const name = `template_${hash}`;
  await asAdmin(cluster, async (sql) => {
    await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const known = await sql`select 1 from pg_database where datname = ${name}`;
    if (known.length > 0) return;
    await sql`create database ${sql(name)}`;
    try {
      await migrate({
        adminUrl: withDatabase(cluster, name),
        testClock: mode === 'test',
        services,
        passwords: Object.fromEntries(SERVICES_WITH_SCHEMA.map((service) => [service, PASSWORD])) as Record<
          ServiceName,
          string
        >,
      });
    } catch (error) {
      await sql`drop database ${sql(name)} with (force)`;
      throw error;
    }
  });
  return name;
}

/** Runs statements on one connection of its own, so that whatever it locked is released with it. */
export async function asAdmin(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

/** The admin's address of the run's cluster. @throws Error outside of jest */
export function clusterUrl(): string {
  const url = process.env[CLUSTER_SETTING];
  if (url === undefined) throw new Error("There is no test cluster: jest's globalSetup has not run.");
  return url;
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = name;
  return changed.href;
}

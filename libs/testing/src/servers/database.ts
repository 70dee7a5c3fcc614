/**
 * Creates migrated databases for test suites. A database is a copy of a template, which the first suite of a test run with the same
 * services creates.
 */
import { createHash, randomBytes } from 'node:crypto';
import { withConnection } from '@carecover/local/postgres';
import { CLUSTER_SETTING } from '@carecover/local/test-cluster';
import {
  migrate,
  restrictCopiedDatabase,
  SERVICES_WITH_SCHEMA,
  type ServiceName,
} from '@carecover/setup/migrate';

const PASSWORD = 'test';
/** Key of the advisory lock under which templates are created, so that each template is created once. */
export const TEMPLATE_LOCK = 4_120_771;

export interface TestDatabaseOptions {
  /** The services whose roles, schemas and migrations the database has. */
  services: readonly ServiceName[];
  /** Mode of the database; `test` by default. Tests can change the clock only in the mode `test`. */
  mode?: 'test' | 'local' | 'production';
  /** Connection URL of a cluster as the administrator; by default the cluster of the test run. */
  cluster?: string;
}

export interface TestDatabase {
  readonly name: string;
  readonly adminUrl: string;
  /** Returns the connection URL with the role of this service. */
  url(service: ServiceName): string;
  /** Sets by how many milliseconds `platform.now()` is ahead of the real time, for all connections. */
  setClockOffset(offsetMs: number): Promise<void>;
  /** Stops `platform.now()` at this instant (epoch milliseconds) until `setClockOffset` is called. */
  stopClock(atMs: number): Promise<void>;
  drop(): Promise<void>;
}

export async function createTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const cluster = options.cluster ?? clusterUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = await ensureTemplate(cluster, [...options.services].sort(), options.mode ?? 'test');
  await withConnection(cluster, (client) => client.query(`create database ${name} template ${template}`));
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
      withConnection(adminUrl, async (client) => {
        await client.query('update platform.clock_offset set ms = $1, stands_at = null', [offsetMs]);
      }),
    stopClock: (atMs) =>
      withConnection(adminUrl, async (client) => {
        const at = new Date(atMs).toISOString();
        await client.query('update platform.clock_offset set stands_at = $1', [at]);
      }),
    drop: () =>
      withConnection(cluster, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

async function ensureTemplate(cluster: string, services: ServiceName[], mode: string): Promise<string> {
  const hash = createHash('sha256')
    .update(JSON.stringify([services, mode]))
    .digest('hex')
    .slice(0, 12);
  const name = `template_${hash}`;
  await withConnection(cluster, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rows.length > 0) return;
    await client.query(`create database ${name}`);
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
      await client.query(`drop database ${name} with (force)`);
      throw error;
    }
  });
  return name;
}

/** Returns the connection URL of the test run's cluster as the administrator. @throws Error outside Jest */
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

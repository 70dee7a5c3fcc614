/** Starts PostgreSQL clusters from a cached template: one for all suites of a test run, and others for suites that kill their server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from './cache';
import type { Child } from './children';
import { freePort } from './ports';
import { ADMIN_ROLE, databaseUrl, initCluster, postgresVersion, startPostgres } from './postgres';
import type { RunFolder } from './run-folder';
import { runTool } from './run-tool';
import { unprivilegedUser } from './unprivileged';

/** Environment variable with the connection URL of the test run's cluster. */
export const CLUSTER_SETTING = 'CARECOVER_TEST_CLUSTER';

/** Server settings with which committed data survives a crash of the server, but not of the machine. */
const UNSAFE_BUT_FAST = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

/**
 * The settings of a server that one suite starts. Autovacuum is off, because PostgreSQL would count its transactions together with those
 * that a suite counts.
 */
const OF_ONE_SUITE = { ...UNSAFE_BUT_FAST, autovacuum: 'off' };

/** Starts the cluster of a test run. Returns the connection URL of its maintenance database as the administrator. */
export async function startTestCluster(run: RunFolder): Promise<string> {
  const port = await freePort();
  await startCluster(run, port, { ...UNSAFE_BUT_FAST, synchronous_commit: 'off' });
  return clusterUrlAt(port);
}

/** Starts a PostgreSQL cluster with the data in the folder; if the folder has no data, with a copy of the template. */
export async function startCluster(
  run: RunFolder,
  port: number,
  settings: Readonly<Record<string, string>> = OF_ONE_SUITE,
): Promise<Child> {
  const template = await cached({
    name: 'postgresql-test-cluster',
    input: [postgresVersion(), String((await unprivilegedUser())?.uid)],
    make: (folder) => initCluster(join(folder, 'data'), { auth: 'trust', password: 'test' }),
  });
  const dataFolder = join(run.path, 'postgresql');
  // The template is copied with `cp`, which keeps the owner of the files. The functions of Node.js do not keep it.
  if (!existsSync(dataFolder)) {
    await runTool('cp', ['-Rp', join(template, 'data'), dataFolder], { env: process.env });
  }
  return startPostgres({
    children: run.children,
    dataFolder,
    logFile: join(run.path, 'postgresql.log'),
    port,
    password: 'test',
    settings,
  });
}

/** Returns the connection URL of the maintenance database of the cluster on this port, as the administrator. */
export function clusterUrlAt(port: number): string {
  return databaseUrl({ port, role: ADMIN_ROLE, password: 'test', database: ADMIN_ROLE });
}

/** Starts PostgreSQL clusters of a test run from a cached template: one for all suites, and others for suites that kill them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from '../cache';
import type { Child } from '../children';
import { freePort } from '../ports';
import { ADMIN_ROLE, databaseUrl, initCluster, postgresVersion, startPostgres } from '../postgres';
import { runTool } from '../run-tool';
import { unprivilegedUser } from '../unprivileged';
import type { RunFolder } from './run-folder';

/** Environment variable with the address of the run's cluster, for the suites. */
export const CLUSTER_SETTING = 'CARECOVER_TEST_CLUSTER';

/** Committed data survives a crash of the processes, but not of the machine. */
const UNSAFE_BUT_FAST = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

/** Starts the cluster of a run. Returns the administrator's address of its maintenance database. */
export async function startTestCluster(run: RunFolder): Promise<string> {
  const port = await freePort();
  await startCluster(run, port, { ...UNSAFE_BUT_FAST, synchronous_commit: 'off' });
  return clusterUrlAt(port);
}

/** Starts a cluster in the run's folder, with the folder's data if it has any. */
export async function startCluster(
  run: RunFolder,
  port: number,
  settings: Readonly<Record<string, string>> = UNSAFE_BUT_FAST,
): Promise<Child> {
  const template = await cached({
    name: 'postgresql-test-cluster',
    input: [postgresVersion(), String((await unprivilegedUser())?.uid)],
    make: (folder) => initCluster(join(folder, 'data'), { auth: 'trust', password: 'test' }),
  });
  const dataFolder = join(run.path, 'postgresql');
  // `cp` keeps the owner, which Node.js does not.
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

/** Returns the administrator's address of the maintenance database of the cluster on this port. */
export function clusterUrlAt(port: number): string {
  return databaseUrl({ port, role: ADMIN_ROLE, password: 'test', database: ADMIN_ROLE });
}

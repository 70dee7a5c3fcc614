/** PostgreSQL clusters of a test run, started from a kept template: the one for all suites, and those that a suite kills. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cached } from '../cache';
import type { Child } from '../children';
import { freePort } from '../ports';
import { ADMIN_ROLE, databaseUrl, initCluster, postgresVersion, startPostgres } from '../postgres';
import { runTool } from '../run-tool';
import { unprivilegedUser } from '../unprivileged';
import type { RunFolder } from './run-folder';

/** Where the run's cluster is told to the suites. */
export const CLUSTER_SETTING = 'CARECOVER_TEST_CLUSTER';

/** Safe from the death of its processes, not of the machine. */
const UNSAFE_BUT_FAST = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

/** Starts the cluster of a run; returns the admin's address of its maintenance database. */
export async function startTestCluster(run: RunFolder): Promise<string> {
  const port = await freePort();
  await startCluster(run, port, { ...UNSAFE_BUT_FAST, synchronous_commit: 'off' });
  return clusterUrlAt(port);
}

/** Starts a cluster in the run's folder, on what the folder has of it. */
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
  // Keeps the owner, which Node's own copy doesn't.
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

/** The admin's address of the maintenance database of the cluster on this port. */
export function clusterUrlAt(port: number): string {
  return databaseUrl({ port, role: ADMIN_ROLE, password: 'test', database: ADMIN_ROLE });
}

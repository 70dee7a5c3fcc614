/** The PostgreSQL cluster of a test run: one for all suites, without safety from crashes, started from a kept template. */
import { join } from 'node:path';
import { cached } from '../cache';
import { freePort } from '../ports';
import { ADMIN_ROLE, databaseUrl, initCluster, postgresVersion, startPostgres } from '../postgres';
import { runTool } from '../run-tool';
import { unprivilegedUser } from '../unprivileged';
import type { RunFolder } from './run-folder';

/** Where the run's cluster is told to the suites. */
export const CLUSTER_SETTING = 'CARECOVER_TEST_CLUSTER';

const UNSAFE_BUT_FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** Starts the cluster; returns the admin's address of its maintenance database. */
export async function startTestCluster(run: RunFolder): Promise<string> {
  const template = await cached({
    name: 'postgresql-test-cluster',
    input: [postgresVersion(), String((await unprivilegedUser())?.uid)],
    make: (folder) => initCluster(join(folder, 'data'), { auth: 'trust', password: 'test' }),
  });
  const dataFolder = join(run.path, 'postgresql');
  // Keeps the owner, which Node's own copy doesn't.
  await runTool('cp', ['-Rp', join(template, 'data'), dataFolder], { env: process.env });
  const port = await freePort();
  await startPostgres({
    children: run.children,
    dataFolder,
    logFile: join(run.path, 'postgresql.log'),
    port,
    password: 'test',
    settings: UNSAFE_BUT_FAST,
  });
  return databaseUrl({ port, role: ADMIN_ROLE, password: 'test', database: ADMIN_ROLE });
}

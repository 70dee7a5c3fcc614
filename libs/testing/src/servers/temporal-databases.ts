/** Creates databases for the Temporal server of a test suite, as copies of a template that has tables, namespace and search attributes. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Child } from '@carecover/local/children';
import { freePort } from '@carecover/local/ports';
import { withConnection } from '@carecover/local/postgres';
import { createRunFolder, type RunFolder } from '@carecover/local/run-folder';
import { startTemporal } from '@carecover/local/temporal';
import type { TemporalDatabases, TemporalPorts } from '@carecover/local/temporal-config';
import { clusterUrl, TEMPLATE_LOCK, withDatabase } from './database';

const PASSWORD = 'test';
const TEMPLATE: TemporalDatabases = {
  histories: 'template_temporal',
  visibility: 'template_temporal_visibility',
};

/** Starts a Temporal server on these databases, and waits until it accepts workflows. */
export function startTemporalOn(options: {
  run: RunFolder;
  executable: string;
  names: TemporalDatabases;
  ports: TemporalPorts;
}): Promise<Child> {
  const { run, executable, names, ports } = options;
  return startTemporal({
    children: run.children,
    executable,
    folder: join(run.path, 'temporal'),
    logFile: join(run.path, 'temporal.log'),
    ports,
    database: {
      port: Number(new URL(clusterUrl()).port),
      adminPassword: PASSWORD,
      password: PASSWORD,
      names,
    },
  });
}

/** Returns free ports for one Temporal server. */
export async function freeTemporalPorts(): Promise<TemporalPorts> {
  const pair = async () => ({ grpc: await freePort(), membership: await freePort() });
  return { frontend: await pair(), history: await pair(), matching: await pair(), worker: await pair() };
}

/** Creates the databases of one Temporal server in the cluster of the test run. */
export async function createTemporalDatabases(executable: string): Promise<TemporalDatabases> {
  await ensureTemplate(executable);
  const histories = `test_temporal_${randomBytes(6).toString('hex')}`;
  const names = { histories, visibility: `${histories}_visibility` };
  await copyDatabase(TEMPLATE.histories, names.histories);
  await copyDatabase(TEMPLATE.visibility, names.visibility);
  return names;
}

async function copyDatabase(template: string, name: string): Promise<void> {
  const cluster = clusterUrl();
  await withConnection(cluster, (client) => client.query(`create database ${name} template ${template}`));
  // Temporal looks up its schema version in the table schema_version by the name of the database. The copied row has the template's name.
  await withConnection(withDatabase(cluster, name), (client) =>
    client.query('update schema_version set db_name = $1', [name]),
  );
}

/** Drops the databases of a Temporal server that has stopped. */
export async function dropTemporalDatabases(names: TemporalDatabases): Promise<void> {
  await withConnection(clusterUrl(), async (client) => {
    for (const name of Object.values(names))
      await client.query(`drop database if exists ${name} with (force)`);
  });
}

async function ensureTemplate(executable: string): Promise<void> {
  const cluster = clusterUrl();
  await withConnection(cluster, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const known = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE.visibility]);
    if (known.rows.length > 0) return;
    const run = await createRunFolder();
    try {
      const ports = await freeTemporalPorts();
      await startTemporalOn({ run, executable, names: TEMPLATE, ports });
    } catch (error) {
      await run.children.close();
      await dropTemporalDatabases(TEMPLATE);
      throw error;
    }
    await run.children.close();
    // Deletes the record of the server that created the template: a server on a copy of the template would try to connect to it.
    await withConnection(withDatabase(cluster, TEMPLATE.histories), (inside) =>
      inside.query('truncate cluster_membership'),
    );
  });
}

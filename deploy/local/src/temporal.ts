/** Runs Temporal's server and UI on PostgreSQL, and creates the databases, the namespace and the search attributes that they need. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareNamespace } from '@carecover/setup/temporal-namespace';
import type { Client } from 'pg';
import type { Child, Children } from './children';
import { writeAtomically } from './files';
import { ADMIN_ROLE, databaseUrl, ensureDatabase, withConnection } from './postgres';
import { waitUntilReady } from './ready';
import { runTool } from './run-tool';
import {
  dynamicConfig,
  PASSWORD_VARIABLE,
  type TemporalConfig,
  type TemporalDatabases,
  type TemporalPorts,
  temporalConfig,
} from './temporal-config';

/** The database role that owns Temporal's databases and tables. It can't log in. */
const OWNER_ROLE = 'temporal_owner';
/** The database role of Temporal's server, which reads and writes rows and can't change tables. */
const SERVER_ROLE = 'temporal';
/** Number of history shards. It can't be changed after the databases are created. */
const SHARDS = 4;
const NAMESPACE = 'default';
/** Key of the advisory lock in the maintenance database that orders concurrent preparations of Temporal's databases. */
const PREPARATION_LOCK = 4_120_772;

/** The names of Temporal's databases in a stack. */
export const TEMPORAL_DATABASES: TemporalDatabases = {
  histories: 'temporal',
  visibility: 'temporal_visibility',
};

export interface TemporalOptions {
  children: Children;
  executable: string;
  /** Folder into which the configuration files are written. */
  folder: string;
  logFile: string;
  ports: TemporalPorts;
  database: {
    port: number;
    /** Password of the administrator of the PostgreSQL cluster. */
    adminPassword: string;
    /** Password of the database role of Temporal's server. */
    password: string;
    names: TemporalDatabases;
  };
}

/**
 * Starts Temporal's server and waits until it accepts workflows in the namespace. Creates the databases, tables, namespace and search
 * attributes that are missing.
 */
export async function startTemporal(options: TemporalOptions): Promise<Child> {
  const { folder, database, ports, executable, logFile } = options;
  await mkdir(folder, { recursive: true });
  const dynamicConfigFile = join(folder, 'dynamic-config.yaml');
  await writeAtomically(dynamicConfigFile, dynamicConfig());
  const writeConfig = async (name: string, as: Pick<TemporalConfig['database'], 'user' | 'role'>) => {
    const file = join(folder, name);
    const { port, names } = database;
    const config = { database: { port, names, ...as }, ports, shards: SHARDS, dynamicConfigFile };
    await writeAtomically(file, temporalConfig(config));
    return file;
  };
  const schemaConfig = await writeConfig('schema.yaml', { user: ADMIN_ROLE, role: OWNER_ROLE });
  await prepareDatabases({ executable, schemaConfig, ...database });
  const serverConfig = await writeConfig('server.yaml', { user: SERVER_ROLE });
  const child = options.children.start({
    name: 'temporal',
    command: executable,
    args: ['start', serverConfig],
    env: { ...process.env, [PASSWORD_VARIABLE]: database.password },
    logFile,
  });
  await waitUntilReady(child, logFile, () => acceptsWorkflows(`127.0.0.1:${ports.frontend.grpc}`));
  return child;
}

/** Starts Temporal's UI for the server at this address, and waits until the UI responds. */
export async function startTemporalUi(options: {
  children: Children;
  executable: string;
  logFile: string;
  port: number;
  temporalAddress: string;
}): Promise<Child> {
  const { executable, logFile, port, temporalAddress } = options;
  const child = options.children.start({
    name: 'temporal-ui',
    command: executable,
    args: ['ui', '127.0.0.1', String(port), temporalAddress],
    logFile,
  });
  await waitUntilReady(child, logFile, () => servesPages(port));
  return child;
}

/**
 * Creates the database roles and databases that are missing, and migrates the tables to the schema of the executable's version. Servers
 * that start concurrently on one cluster do this one after the other.
 */
async function prepareDatabases(options: {
  executable: string;
  schemaConfig: string;
  port: number;
  adminPassword: string;
  password: string;
  names: TemporalDatabases;
}): Promise<void> {
  const { port, adminPassword, password, names } = options;
  const url = (database: string) =>
    databaseUrl({ port, role: ADMIN_ROLE, password: adminPassword, database });
  await withConnection(url(ADMIN_ROLE), async (client) => {
    await client.query('select pg_advisory_lock($1)', [PREPARATION_LOCK]);
    await ensureRole(client, OWNER_ROLE);
    await ensureRole(client, SERVER_ROLE);
    await client.query(`alter role ${SERVER_ROLE} login password ${client.escapeLiteral(password)}`);
    for (const database of Object.values(names)) {
      await ensureDatabase(url(ADMIN_ROLE), database);
      await withConnection(url(database), (inside) => inside.query(grants(database)));
    }
    await runTool(options.executable, ['setup-schema', options.schemaConfig], {
      env: { ...process.env, [PASSWORD_VARIABLE]: adminPassword },
    });
  });
}

const grants = (database: string) => `
  alter database "${database}" owner to ${OWNER_ROLE};
  revoke connect, temporary on database "${database}" from public;
  grant connect on database "${database}" to ${SERVER_ROLE};
  alter default privileges for role ${OWNER_ROLE} grant select, insert, update, delete on tables to ${SERVER_ROLE};
  alter default privileges for role ${OWNER_ROLE} grant usage on sequences to ${SERVER_ROLE}`;

async function ensureRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rows.length === 0) await client.query(`create role ${role} nologin`);
}

async function acceptsWorkflows(address: string): Promise<boolean> {
  try {
    await prepareNamespace({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: NAMESPACE });
    return true;
  } catch {
    // The server is starting. `waitUntilReady` checks whether it has ended.
    return false;
  }
}

async function servesPages(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // The server is starting. `waitUntilReady` checks whether it has ended.
    return false;
  }
}

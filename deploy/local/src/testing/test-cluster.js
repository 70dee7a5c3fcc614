Object.defineProperty(exports, '__esModule', { value: true });
exports.CLUSTER_SETTING = void 0;
exports.startTestCluster = startTestCluster;
/** The PostgreSQL cluster of a test run: one for all suites, without safety from crashes, started from a kept template. */
const node_path_1 = require('node:path');
const cache_1 = require('../cache');
const ports_1 = require('../ports');
const postgres_1 = require('../postgres');
const run_tool_1 = require('../run-tool');
const unprivileged_1 = require('../unprivileged');
/** Where the run's cluster is told to the suites. */
exports.CLUSTER_SETTING = 'CARECOVER_TEST_CLUSTER';
const UNSAFE_BUT_FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};
/** Starts the cluster; returns the admin's address of its maintenance database. */
async function startTestCluster(run) {
  const template = await (0, cache_1.cached)({
    name: 'postgresql-test-cluster',
    input: [(0, postgres_1.postgresVersion)(), String((await (0, unprivileged_1.unprivilegedUser)())?.uid)],
    make: (folder) =>
      (0, postgres_1.initCluster)((0, node_path_1.join)(folder, 'data'), { auth: 'trust', password: 'test' }),
  });
  const dataFolder = (0, node_path_1.join)(run.path, 'postgresql');
  // Keeps the owner, which Node's own copy doesn't.
  await (0, run_tool_1.runTool)('cp', ['-Rp', (0, node_path_1.join)(template, 'data'), dataFolder], {
    env: process.env,
  });
  const port = await (0, ports_1.freePort)();
  await (0, postgres_1.startPostgres)({
    children: run.children,
    dataFolder,
    logFile: (0, node_path_1.join)(run.path, 'postgresql.log'),
    port,
    password: 'test',
    settings: UNSAFE_BUT_FAST,
  });
  return (0, postgres_1.databaseUrl)({
    port,
    role: postgres_1.ADMIN_ROLE,
    password: 'test',
    database: postgres_1.ADMIN_ROLE,
  });
}

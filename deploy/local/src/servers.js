Object.defineProperty(exports, '__esModule', { value: true });
exports.startServers = startServers;
/** The servers under the services, each kept running: PostgreSQL, NATS and Temporal, with their data in the stack's folder. */
const node_fs_1 = require('node:fs');
const node_path_1 = require('node:path');
const nats_1 = require('./nats');
const postgres_1 = require('./postgres');
const progress_1 = require('./progress');
const supervised_1 = require('./supervised');
const temporal_1 = require('./temporal');
const toolchain_1 = require('./toolchain');
/** Room for the pools of three replicas of every service. */
const MAX_CONNECTIONS = '400';
/** Starts all three, building first what isn't there yet, and waits until they answer. */
async function startServers(options) {
  const { children, home, ports, adminPassword, print } = options;
  // One after the other: each build takes all processors.
  const natsServer = await (0, toolchain_1.natsExecutable)();
  const temporalServer = await (0, toolchain_1.temporalExecutable)();
  if (!(0, node_fs_1.existsSync)(home.postgresql)) {
    await (0, progress_1.showing)('making a new database', () =>
      (0, postgres_1.initCluster)(home.postgresql, { auth: 'scram-sha-256', password: adminPassword }),
    );
  }
  const log = (name) => (0, node_path_1.join)(home.logs, `${name}.log`);
  const servers = {
    postgresql: new supervised_1.Supervised(
      'postgresql',
      () =>
        (0, postgres_1.startPostgres)({
          children,
          dataFolder: home.postgresql,
          logFile: log('postgresql'),
          port: ports.postgresql,
          password: adminPassword,
          settings: { max_connections: MAX_CONNECTIONS },
        }),
      print,
    ),
    nats: new supervised_1.Supervised(
      'nats',
      () =>
        (0, nats_1.startNats)({
          children,
          executable: natsServer,
          folder: home.nats,
          logFile: log('nats'),
          port: ports.nats,
        }),
      print,
    ),
    temporal: new supervised_1.Supervised(
      'temporal',
      () =>
        (0, temporal_1.startTemporal)({
          children,
          executable: temporalServer,
          databaseFile: home.temporal,
          logFile: log('temporal'),
          port: ports.temporal,
          uiPort: ports.temporalUi,
        }),
      print,
    ),
  };
  await (0, progress_1.showing)('starting PostgreSQL, NATS and Temporal', () =>
    Promise.all(Object.values(servers).map((server) => server.start())),
  );
  return servers;
}

Object.defineProperty(exports, '__esModule', { value: true });
exports.startTestNats = startTestNats;
exports.startDevTemporal = startDevTemporal;
exports.startTimeSkippingTemporal = startTimeSkippingTemporal;
/** Real servers for a suite, each in a folder of its own, on a free port, and gone with the suite. */
const node_path_1 = require('node:path');
const proto_1 = require('@temporalio/proto');
const testing_1 = require('@temporalio/testing');
const nats_1 = require('../nats');
const ports_1 = require('../ports');
const temporal_1 = require('../temporal');
const toolchain_1 = require('../toolchain');
const run_folder_1 = require('./run-folder');
/** A NATS server with JetStream. */
async function startTestNats() {
  const executable = await (0, toolchain_1.natsExecutable)();
  const port = await (0, ports_1.freePort)();
  const url = `nats://127.0.0.1:${port}`;
  const server = await startTestServer((run) => {
    const logFile = (0, node_path_1.join)(run.path, 'nats.log');
    return (0, nats_1.startNats)({ children: run.children, executable, folder: run.path, logFile, port });
  });
  return Object.assign(server, { url });
}
/** A whole Temporal server on a database file, in real time. */
async function startDevTemporal(options = {}) {
  const executable = await (0, toolchain_1.temporalExecutable)();
  const port = await (0, ports_1.freePort)();
  const uiPort = options.ui === true ? await (0, ports_1.freePort)() : undefined;
  const server = await startTestServer((run) =>
    (0, temporal_1.startTemporal)({
      children: run.children,
      executable,
      databaseFile: (0, node_path_1.join)(run.path, 'temporal.db'),
      logFile: (0, node_path_1.join)(run.path, 'temporal.log'),
      port,
      uiPort,
    }),
  );
  const uiUrl = uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`;
  return Object.assign(server, { address: `127.0.0.1:${port}`, uiUrl });
}
/**
 * Temporal's time-skipping server with its client, in a process of its own. Skipping is global to it: run its tests one
 * after the other, with unique workflow ids and queues, and call `teardown` at the end.
 */
async function startTimeSkippingTemporal() {
  const path = await (0, toolchain_1.temporalTestServerExecutable)();
  const environment = await testing_1.TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_DATETIME } =
    proto_1.temporal.api.enums.v1.IndexedValueType;
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: Object.fromEntries(
      Object.entries(temporal_1.searchAttributes).map(([name, type]) => [
        name,
        type === 'Keyword' ? INDEXED_VALUE_TYPE_KEYWORD : INDEXED_VALUE_TYPE_DATETIME,
      ]),
    ),
  });
  return environment;
}
async function startTestServer(start) {
  const run = await (0, run_folder_1.createRunFolder)();
  let child;
  try {
    child = await start(run);
  } catch (error) {
    await run.children.close();
    throw error;
  }
  return {
    get pid() {
      return child.pid;
    },
    stop: () => run.children.close(),
    kill: async () => {
      await child.kill();
    },
    restart: async () => {
      if (child.running()) await child.stop();
      child = await start(run);
    },
  };
}

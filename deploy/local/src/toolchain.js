Object.defineProperty(exports, '__esModule', { value: true });
exports.natsExecutable = exports.temporalExecutable = void 0;
exports.toolchain = toolchain;
exports.temporalTestServerExecutable = temporalTestServerExecutable;
/**
 * Finds the servers that npm doesn't bring: the executable that a setting names, else one of the right version on the
 * PATH, else the one built earlier, else it is built. Whatever is missing for that is one sentence to the user.
 */
const node_child_process_1 = require('node:child_process');
const node_fs_1 = require('node:fs');
const promises_1 = require('node:fs/promises');
const node_path_1 = require('node:path');
const node_util_1 = require('node:util');
const cache_1 = require('./cache');
const disk_1 = require('./disk');
const failure_1 = require('./failure');
const progress_1 = require('./progress');
const run_tool_1 = require('./run-tool');
const MODULE = (0, node_path_1.join)(__dirname, '../../toolchain');
const BUILD_BYTES = 3_000 * disk_1.MEGABYTE;
const COPY_BYTES = 500 * disk_1.MEGABYTE;
function toolchain(env = process.env) {
  return { env, freeSpace: disk_1.freeSpaceOnDisk, cache: (0, cache_1.cacheFolder)(env) };
}
const TEMPORAL = {
  name: 'Temporal',
  executable: 'temporal',
  setting: 'CARECOVER_TEMPORAL',
  goPackage: 'github.com/temporalio/cli/cmd/temporal',
  versionFlag: '--version',
  version: /\(Server 1\.31\.2,/,
  builds: 'building the Temporal server (about four minutes, the first time only)',
  elsewhere: 'version 1.8.2 from https://github.com/temporalio/cli/releases, which has Server 1.31.2',
};
const NATS = {
  name: 'NATS',
  executable: 'nats-server',
  setting: 'CARECOVER_NATS_SERVER',
  goPackage: 'github.com/nats-io/nats-server/v2',
  versionFlag: '--version',
  version: /\bv2\.15\.2\b/,
  builds: 'building the NATS server (the first time only)',
  elsewhere: 'version 2.15.2 from https://github.com/nats-io/nats-server/releases',
};
/** Path of the `temporal` executable. @throws StartFailure */
const temporalExecutable = (tools = toolchain()) => goServer(TEMPORAL, tools);
exports.temporalExecutable = temporalExecutable;
/** Path of the `nats-server` executable. @throws StartFailure */
const natsExecutable = (tools = toolchain()) => goServer(NATS, tools);
exports.natsExecutable = natsExecutable;
/**
 * Path of an executable that runs Temporal's time-skipping test server on the port in its first argument. It has no way
 * to tell its version, so none is looked for on the PATH. @throws StartFailure
 */
async function temporalTestServerExecutable(tools = toolchain()) {
  const named = namedExecutable('CARECOVER_TEMPORAL_TEST_SERVER', tools.env);
  if (named !== undefined) return named;
  const instead =
    'or set CARECOVER_TEMPORAL_TEST_SERVER to an executable of it (https://github.com/temporalio/sdk-java/releases, temporal-test-server 1.38.0).';
  const java = onPath('java', tools.env);
  if (java === undefined) {
    throw new failure_1.StartFailure(
      `Java is missing: the tests run Temporal's time-skipping test server with it, and there is no java on the PATH. Install Java 11 or newer, ${instead}`,
    );
  }
  const pom = (0, node_path_1.join)(MODULE, 'pom.xml');
  const folder = await (0, cache_1.cached)(
    {
      name: 'temporal-test-server',
      input: [await (0, promises_1.readFile)(pom, 'utf8'), TEST_SERVER_SCRIPT],
      make: async (unfinished) => {
        const maven = onPath('mvn', tools.env);
        if (maven === undefined) {
          throw new failure_1.StartFailure(
            `Maven is missing: it fetches Temporal's time-skipping test server for the tests, and there is no mvn on the PATH. Install Maven 3.8 or newer, ${instead}`,
          );
        }
        await (0, disk_1.ensureSpace)(
          tools.cache,
          COPY_BYTES,
          "keep Temporal's test server",
          tools.freeSpace,
        );
        const jars = (0, node_path_1.join)(unfinished, 'jars');
        await (0, promises_1.mkdir)(jars);
        await (0, progress_1.showing)(
          "fetching Temporal's test server with Maven (the first time only)",
          () =>
            (0, run_tool_1.runTool)(
              maven,
              ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`],
              {
                env: tools.env,
              },
            ),
        );
        const script = (0, node_path_1.join)(unfinished, 'temporal-test-server');
        await (0, promises_1.writeFile)(script, TEST_SERVER_SCRIPT);
        await (0, promises_1.chmod)(script, 0o755);
      },
    },
    tools.cache,
  );
  return (0, node_path_1.join)(folder, 'temporal-test-server');
}
/**
 * Temporal's SDK starts it and kills its direct child alone, hence `exec`. The loop ends the server when the process
 * that started it is gone without having done so.
 */
const TEST_SERVER_SCRIPT = `#!/bin/sh
parent=$PPID
server=$$
( while kill -0 $parent && kill -0 $server; do sleep 1; done; kill $server ) </dev/null >/dev/null 2>&1 &
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/jars/*" io.temporal.testserver.TestServer "$1"
`;
async function goServer(server, tools) {
  const named = namedExecutable(server.setting, tools.env);
  if (named !== undefined) return named;
  const installed = onPath(server.executable, tools.env);
  if (installed !== undefined && (await hasVersion(installed, server))) return installed;
  const sources = ['go.mod', 'go.sum'].map((file) =>
    (0, node_fs_1.readFileSync)((0, node_path_1.join)(MODULE, file), 'utf8'),
  );
  const folder = await (0, cache_1.cached)(
    {
      name: server.executable,
      input: [...sources, server.goPackage],
      make: async (unfinished) => {
        const go = onPath('go', tools.env);
        if (go === undefined) {
          throw new failure_1.StartFailure(
            `Go is missing: the ${server.name} server is built with it, and there is no go on the PATH. Install Go 1.26.4 or newer (https://go.dev/dl), or set ${server.setting} to an executable (${server.elsewhere}).`,
          );
        }
        await (0, disk_1.ensureSpace)(
          tools.cache,
          BUILD_BYTES,
          `build the ${server.name} server`,
          tools.freeSpace,
        );
        const output = (0, node_path_1.join)(unfinished, server.executable);
        await (0, progress_1.showing)(server.builds, () =>
          (0, run_tool_1.runTool)(
            go,
            ['build', '-trimpath', '-ldflags', '-s -w', '-o', output, server.goPackage],
            {
              cwd: MODULE,
              env: { ...tools.env, GOWORK: 'off', CGO_ENABLED: '0' },
            },
          ),
        );
      },
    },
    tools.cache,
  );
  return (0, node_path_1.join)(folder, server.executable);
}
function namedExecutable(setting, env) {
  const path = env[setting];
  if (path === undefined || path === '') return undefined;
  if (isExecutable(path)) return path;
  const why = (0, node_fs_1.existsSync)(path) ? 'is not a file that can be run' : 'does not exist';
  throw new failure_1.StartFailure(
    `${setting} names ${path}, which ${why}: set it to the server's executable, or unset it.`,
  );
}
function onPath(command, env) {
  const folders = (env.PATH ?? '').split(node_path_1.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => (0, node_path_1.join)(folder, command)).find(isExecutable);
}
function isExecutable(path) {
  try {
    (0, node_fs_1.accessSync)(path, node_fs_1.constants.X_OK);
    return (0, node_fs_1.statSync)(path).isFile();
  } catch {
    // Not there, not ours to run, or no longer there: in each case it can't be used.
    return false;
  }
}
async function hasVersion(path, server) {
  try {
    const { stdout } = await (0, node_util_1.promisify)(node_child_process_1.execFile)(
      path,
      [server.versionFlag],
      { timeout: 10_000 },
    );
    return server.version.test(stdout);
  } catch {
    // An executable that can't tell its version isn't known to be the right one.
    return false;
  }
}

Object.defineProperty(exports, '__esModule', { value: true });
exports.startTestStack = startTestStack;
/** The whole stack for a test: every process real, in a folder of its own, in test mode, on free ports. */
const node_child_process_1 = require('node:child_process');
const promises_1 = require('node:fs/promises');
const node_os_1 = require('node:os');
const node_path_1 = require('node:path');
const node_util_1 = require('node:util');
const home_1 = require('../home');
const stack_1 = require('../stack');
const NO_PORTS = {
  CARECOVER_PORT: null,
  CARECOVER_TEMPORAL_PORT: null,
  CARECOVER_NATS_PORT: null,
  CARECOVER_POSTGRES_PORT: null,
};
/** Starts the stack from the built services; stopping removes its folder. */
async function startTestStack(options = {}) {
  const homeFolder = await (0, promises_1.mkdtemp)(
    (0, node_path_1.join)((0, node_os_1.tmpdir)(), 'carecover-stack-'),
  );
  const stack = new stack_1.Stack({
    settings: { homeFolder, ports: NO_PORTS },
    mode: 'test',
    usualPorts: false,
    print: () => undefined,
    ...options,
  });
  const stop = async () => {
    await stack.stop();
    await (0, promises_1.rm)(homeFolder, { recursive: true, force: true });
  };
  try {
    await stack.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stack,
    stop,
    async operator(...args) {
      const cli = (0, node_path_1.join)(home_1.REPOSITORY, 'services/gateway/dist/cli.js');
      const { stdout } = await (0, node_util_1.promisify)(node_child_process_1.execFile)(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', cli, ...args, '--json'],
        { env: { ...process.env, CARECOVER_ADMIN_DATABASE_URL: stack.file.database_url } },
      );
      return JSON.parse(stdout);
    },
  };
}

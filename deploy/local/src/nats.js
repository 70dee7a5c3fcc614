Object.defineProperty(exports, '__esModule', { value: true });
exports.startNats = startNats;
/** Runs the NATS server with JetStream on disk, each message synced before it is acknowledged. */
const promises_1 = require('node:fs/promises');
const node_net_1 = require('node:net');
const node_path_1 = require('node:path');
const ready_1 = require('./ready');
/** Starts the server and waits until it serves streams. */
async function startNats(options) {
  const { port } = options;
  const configFile = (0, node_path_1.join)(options.folder, 'nats.conf');
  await (0, promises_1.mkdir)(options.folder, { recursive: true });
  await (0, promises_1.writeFile)(
    configFile,
    [
      `listen: "127.0.0.1:${port}"`,
      // Without it, a power cut loses messages whose publisher was told that they are safe.
      `jetstream { store_dir: ${JSON.stringify(options.folder)}, sync_interval: always }`,
      '',
    ].join('\n'),
  );
  const child = options.children.start({
    name: 'nats',
    command: options.executable,
    args: ['--config', configFile],
    logFile: options.logFile,
  });
  await (0, ready_1.untilReady)(child, options.logFile, () => greets(port));
  return child;
}
/** A NATS server greets with its description; ours is ready once that says JetStream is on. */
function greets(port) {
  return new Promise((resolve) => {
    const socket = (0, node_net_1.connect)(port, '127.0.0.1');
    let greeting = '';
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.once('error', () => done(false));
    socket.on('data', (chunk) => {
      greeting += chunk.toString();
      if (greeting.includes('\r\n')) done(/"jetstream":\s*true/.test(greeting));
    });
  });
}

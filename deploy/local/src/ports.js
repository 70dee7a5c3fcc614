Object.defineProperty(exports, '__esModule', { value: true });
exports.PortChooser = void 0;
exports.freePort = freePort;
exports.isFree = isFree;
/** Finds ports to listen on, on this machine's loopback address. */
const node_crypto_1 = require('node:crypto');
const node_net_1 = require('node:net');
const failure_1 = require('./failure');
const LOOPBACK = '127.0.0.1';
/** Below the ports that systems give to outgoing connections, which could take a free one before we listen on it. */
const FREE_FROM = 20_000;
const FREE_BEFORE = 30_000;
/** A port that is free now; it stays so only as long as nobody else takes it. */
async function freePort() {
  for (;;) {
    const port = (0, node_crypto_1.randomInt)(FREE_FROM, FREE_BEFORE);
    if (await isFree(port)) return port;
  }
}
/** Whether the port can be listened on now. */
function isFree(port) {
  return new Promise((resolve, reject) => {
    const server = (0, node_net_1.createServer)();
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}
/** Gives out the ports of one stack, none twice. */
class PortChooser {
  given = new Set();
  /** @throws StartFailure when the port that a setting names is taken */
  async choose(wish) {
    const port = await this.find(wish);
    this.given.add(port);
    return port;
  }
  async find({ setting, preferred }) {
    if (setting !== undefined) {
      if (await this.available(setting.port)) return setting.port;
      throw new failure_1.StartFailure(
        `Port ${setting.port}, which ${setting.name} names, is taken: stop the program that has it, or set ${setting.name} to a free port, or unset it.`,
      );
    }
    for (const port of preferred) if (await this.available(port)) return port;
    for (;;) {
      const port = await freePort();
      if (!this.given.has(port)) return port;
    }
  }
  async available(port) {
    return !this.given.has(port) && (await isFree(port));
  }
}
exports.PortChooser = PortChooser;

Object.defineProperty(exports, '__esModule', { value: true });
exports.searchAttributes = void 0;
exports.startTemporal = startTemporal;
/** Runs Temporal with its UI on a database file, set up as our workflows need it. */
const node_child_process_1 = require('node:child_process');
const node_util_1 = require('node:util');
const ready_1 = require('./ready');
/** What operators can search workflows by. Never a member reference: these are stored in the clear. */
exports.searchAttributes = {
  ClaimStatus: 'Keyword',
  PreauthorizationStatus: 'Keyword',
  RemittanceStatus: 'Keyword',
  Environment: 'Keyword',
  ProjectId: 'Keyword',
  DueAt: 'Datetime',
};
/** Starts the server and waits until it takes workflows. */
async function startTemporal(options) {
  const { executable, port, uiPort } = options;
  const address = `127.0.0.1:${port}`;
  const child = options.children.start({
    name: 'temporal',
    command: executable,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort)]),
      ...['--db-filename', options.databaseFile, '--log-level', 'warn'],
      ...Object.entries(exports.searchAttributes).flatMap(([key, type]) => [
        '--search-attribute',
        `${key}=${type}`,
      ]),
      // The server's default of 10 makes a busy claim slower the more callers it has.
      ...['--dynamic-config-value', 'history.maxInFlightUpdates=200'],
    ],
    logFile: options.logFile,
  });
  await (0, ready_1.untilReady)(child, options.logFile, () => knowsSearchAttributes(executable, address));
  return child;
}
/** They are registered last, so a server that knows them does everything else too. */
async function knowsSearchAttributes(executable, address) {
  try {
    const { stdout } = await (0, node_util_1.promisify)(node_child_process_1.execFile)(
      executable,
      ['operator', 'search-attribute', 'list', '--address', address, '--command-timeout', '2s'],
      { timeout: 5_000 },
    );
    return Object.keys(exports.searchAttributes).every((key) => stdout.includes(key));
  } catch {
    // Not there yet; whether it ended is looked at elsewhere.
    return false;
  }
}

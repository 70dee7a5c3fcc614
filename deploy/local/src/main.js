Object.defineProperty(exports, '__esModule', { value: true });
exports.main = main;
/** The commands `npm start` and `npm run journey`, once everything is installed and built. */
const node_fs_1 = require('node:fs');
const node_util_1 = require('node:util');
const failure_1 = require('./failure');
const files_1 = require('./files');
const home_1 = require('./home');
const journey_1 = require('./journey');
const operator_tool_1 = require('./operator-tool');
const settings_1 = require('./settings');
const stack_1 = require('./stack');
const stack_file_1 = require('./stack-file');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const MOST_REPLICAS = 8;
const print = (line) => process.stdout.write(`${line}\n`);
/** Starts the stack and stays until it is told to stop. */
async function start(args) {
  const stack = new stack_1.Stack({
    settings: (0, settings_1.localSettings)(),
    replicas: replicasIn(args),
    print,
  });
  let stopping = false;
  const stop = async (code) => {
    if (stopping) return;
    stopping = true;
    await stack.stop();
    process.exit(code);
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!stopping) print('\nStopping …');
      void stop(0);
    });
  }
  try {
    const file = await stack.start();
    introduce(file);
    if (!(0, node_fs_1.existsSync)(stack.home.journeyDone)) await firstJourney(stack, file);
  } catch (error) {
    // What fails while everything is being stopped fails because of that.
    if (stopping) return;
    explain(error);
    await stop(1);
  }
}
/** A stack whose journey fails stays up, to be looked at. */
async function firstJourney(stack, file) {
  try {
    await walk(file);
    await (0, files_1.writeWhole)(stack.home.journeyDone, '');
  } catch (error) {
    if (!(0, node_fs_1.existsSync)(stack.home.stack)) throw error;
    explain(error);
    print(`\nThe journey did not reach its end. Everything stays up; the logs are in ${stack.home.logs}.`);
  }
  introduce(file);
}
async function journey() {
  await walk(
    await (0, stack_file_1.runningStack)((0, home_1.homeAt)((0, settings_1.localSettings)().homeFolder)),
  );
}
async function walk(file) {
  await (0, journey_1.runJourney)(file, {
    print,
    verifyLedger: () => (0, operator_tool_1.verifyLedger)(file.database_url),
  });
}
function introduce(file) {
  const [, ...others] = file.base_urls;
  print(
    [
      '',
      'Carecover is up. Ctrl-C stops it; the data stays.',
      '',
      `  API          ${file.base_url}`,
      ...others.map((url) => `               ${url}`),
      `  Temporal UI  ${file.temporal_ui}`,
      `  Key          ${file.secret_key}`,
      '',
      `  curl --cacert '${file.ca_certificate}' -H 'Authorization: Bearer ${file.secret_key}' '${file.base_url}/practitioners?limit=3'`,
      '',
    ].join('\n'),
  );
}
function replicasIn(args) {
  const wrong = (what) =>
    new failure_1.StartFailure(
      `${what}: npm start takes --replicas N, a whole number from 1 to ${MOST_REPLICAS}.`,
    );
  let text;
  try {
    const { values } = (0, node_util_1.parseArgs)({
      args: [...args],
      options: { replicas: { type: 'string', default: '1' } },
    });
    text = values.replicas;
  } catch (cause) {
    throw wrong(cause instanceof Error ? (cause.message.split('.')[0] ?? '') : String(cause));
  }
  const replicas = /^\d+$/.test(text) ? Number(text) : 0;
  if (replicas < 1 || replicas > MOST_REPLICAS) throw wrong(`--replicas ${text} is not possible`);
  return replicas;
}
/** A sentence where there is one for the user; everything else is a fault of ours, shown whole. */
function explain(error) {
  const text =
    error instanceof failure_1.StartFailure ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`\n${text}\n`);
}
/** Runs a command and ends the process with code 1 where it fails. */
async function main(command, args) {
  try {
    await (command === 'start' ? start(args) : journey());
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}

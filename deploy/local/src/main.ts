/** The commands `npm start`, `npm run journey` and `npm run cluster`, which deploy/bootstrap.mjs runs after the installation and build. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { waitForLock } from '../process/lock.cjs';
import { showProgress } from '../process/progress.cjs';
import { Cluster } from './cluster/cluster';
import {
  CLUSTER_USAGE,
  clusterSettings,
  readRunningCluster,
  sendCommand,
  serveControl,
} from './cluster/commands';
import { DEMO_PEOPLE } from './demo-people';
import { StartFailure } from './failure';
import { writeAtomically } from './files';
import { type Home, homePaths } from './home';
import { runJourney } from './journey';
import { verifyLedger } from './operator-tool';
import { localSettings } from './settings';
import { Stack } from './stack';
import { readRunningStack, type StackFile } from './stack-file';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const MAX_REPLICAS = 8;

const USAGE = `npm start [-- --replicas N]

Starts Carecover on this machine: PostgreSQL, NATS, Temporal, all services, the gateway and the console. Ctrl-C stops it; the data stays.

  --replicas N   runs N replicas of each service, from 1 to ${MAX_REPLICAS}; 1 by default`;

const JOURNEY_USAGE = `npm run journey

Runs the example on the running stack: from a booking through a claim to its settlement and valuation.`;

function print(line: string): void {
  // While the progress of a background step is shown on the terminal, lines are printed above it.
  showProgress.erase();
  process.stdout.write(`${line}\n`);
}

/**
 * Starts the stack and runs the first journey. Temporal is built, if it is missing, and started beside them, because no command needs it.
 * If that fails, the stack is stopped.
 */
async function start(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return print(USAGE);
  const stack = new Stack({
    settings: localSettings(),
    replicas: parseReplicas(args),
    temporalInBackground: true,
    print,
  });
  await runUntilSignal(stack, async (file) => {
    let isTemporalUp = false;
    const temporalStarted = stack.temporalStarted.then(() => {
      isTemporalUp = true;
    });
    // Prevents an unhandled rejection during the journey.
    temporalStarted.catch(() => undefined);
    printAddresses(file);
    if (!existsSync(stack.home.journeyDone)) await runFirstJourney(stack, file);
    if (isTemporalUp) return;
    print('Temporal is still starting. No command needs it; the workflows follow when it runs.');
    await temporalStarted;
    print(`Temporal runs: ${file.temporal_ui}`);
  });
}

/** Starts the cluster, or sends a command to the running cluster. */
async function runCluster(args: readonly string[]): Promise<void> {
  const settings = clusterSettings();
  const home = homePaths(settings.homeFolder);
  const [command] = args;
  if (command === '--help') return print(CLUSTER_USAGE);
  if (command === 'journey') return runLockedJourney(home, await readRunningCluster(home));
  if (command !== undefined) return print(await sendCommand(home, args));
  const cluster = new Cluster({ settings, print });
  let stopControl: (() => Promise<void>) | undefined;
  await runUntilSignal(
    cluster,
    async (file) => {
      stopControl = await serveControl(cluster);
      printAddresses(file);
      print(`${CLUSTER_USAGE}\n`);
    },
    async () => stopControl?.(),
  );
}

/** Starts a stack, and runs it until this process receives SIGINT, SIGTERM or SIGHUP. */
async function runUntilSignal(
  stack: Stack,
  onStarted: (file: StackFile) => Promise<void>,
  onStopping: () => Promise<void> = async () => undefined,
): Promise<void> {
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    await onStopping();
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
    await onStarted(await stack.start());
  } catch (error) {
    // The error is not printed if the user stopped the stack during the start: the stop caused it.
    if (stopping) return;
    printError(error);
    await stop(1);
  }
}

/** Runs the journey after the first start. If it fails, the stack keeps running, so that the user can inspect it. */
async function runFirstJourney(stack: Stack, file: StackFile): Promise<void> {
  try {
    await runLockedJourney(stack.home, file);
    await writeAtomically(stack.home.journeyDone, '');
  } catch (error) {
    if (!existsSync(stack.home.stack)) throw error;
    printError(error);
    print(`\nThe journey did not reach its end. Everything stays up; the logs are in ${stack.home.logs}.`);
  }
  printAddresses(file);
}

async function journey(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return print(JOURNEY_USAGE);
  const home = homePaths(localSettings().homeFolder);
  await runLockedJourney(home, await readRunningStack(home));
}

/** Runs a journey after concurrent ones have ended, because all journeys check the remaining sessions of the same member. */
async function runLockedJourney(home: Home, file: StackFile): Promise<void> {
  const lock = await waitForLock(home.journeyLock, () => print('Waiting for another journey to end …'));
  try {
    await runJourney(file, { print, verifyLedger: () => verifyLedger(file.database_url) });
  } finally {
    lock.release();
  }
}

function printAddresses(file: StackFile): void {
  const [, ...others] = file.base_urls;
  print(
    [
      '',
      'Carecover is up. Ctrl-C stops it; the data stays.',
      '',
      `  API          ${file.base_url}`,
      ...others.map((url) => `               ${url}`),
      `  Console      ${file.console_url} (sign in as ${DEMO_PEOPLE.map(({ role }) => role).join(', ')}; no password)`,
      `  Pages        ${new URL('/docs', file.base_url)}`,
      `  Quick start  ${new URL('/docs/quick-start', file.base_url)}`,
      `  Agents       ${file.base_url}/mcp (npx carecover mcp prints the configurations of clients)`,
      `  Temporal UI  ${file.temporal_ui}`,
      `  Key          ${file.secret_key}`,
      '',
      `  curl --cacert '${file.ca_certificate}' -H 'Authorization: Bearer ${file.secret_key}' '${file.base_url}/practitioners?limit=3'`,
      '',
    ].join('\n'),
  );
}

function parseReplicas(args: readonly string[]): number {
  const invalid = (what: string) =>
    new StartFailure(`${what}: npm start takes --replicas N, a whole number from 1 to ${MAX_REPLICAS}.`);
  let text: string;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { replicas: { type: 'string', default: '1' } },
    });
    text = values.replicas;
  } catch (cause) {
    throw invalid(cause instanceof Error ? (cause.message.split('.')[0] ?? '') : String(cause));
  }
  const replicas = /^\d+$/.test(text) ? Number(text) : 0;
  if (replicas < 1 || replicas > MAX_REPLICAS) throw invalid(`--replicas ${text} is not possible`);
  return replicas;
}

/**
 * Prints the message of a StartFailure or a full disk, which the user can fix. Any other error is a bug and is printed with its stack trace.
 */
function printError(error: unknown): void {
  const isDiskFull = error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOSPC';
  const canBeFixed = error instanceof StartFailure || isDiskFull;
  const text = error instanceof Error ? (canBeFixed ? error.message : error.stack) : error;
  process.stderr.write(`\n${text}\n`);
}

/** Runs a command, and sets exit code 1 if it fails. */
export async function main(command: 'start' | 'journey' | 'cluster', args: readonly string[]): Promise<void> {
  try {
    if (command === 'start') await start(args);
    else if (command === 'cluster') await runCluster(args);
    else await journey(args);
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}

/** The commands `npm start` and `npm run journey`, once everything is installed and built. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { waitForLock } from '../../process/lock.cjs';
import { StartFailure } from './failure';
import { writeWhole } from './files';
import { type Home, homeAt } from './home';
import { runJourney } from './journey';
import { verifyLedger } from './operator-tool';
import { localSettings } from './settings';
import { Stack } from './stack';
import { runningStack, type StackFile } from './stack-file';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const MOST_REPLICAS = 8;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the stack and stays until it is told to stop. */
async function start(args: readonly string[]): Promise<void> {
  const stack = new Stack({ settings: localSettings(), replicas: replicasIn(args), print });
  let stopping = false;
  const stop = async (code: number) => {
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
    if (!existsSync(stack.home.journeyDone)) await firstJourney(stack, file);
  } catch (error) {
    // What fails while everything is being stopped fails because of that.
    if (stopping) return;
    explain(error);
    await stop(1);
  }
}

/** A stack whose journey fails stays up, to be looked at. */
async function firstJourney(stack: Stack, file: StackFile): Promise<void> {
  try {
    await walk(stack.home, file);
    await writeWhole(stack.home.journeyDone, '');
  } catch (error) {
    if (!existsSync(stack.home.stack)) throw error;
    explain(error);
    print(`\nThe journey did not reach its end. Everything stays up; the logs are in ${stack.home.logs}.`);
  }
  introduce(file);
}

async function journey(): Promise<void> {
  const home = homeAt(localSettings().homeFolder);
  await walk(home, await runningStack(home));
}

/** One at a time: journeys share a member, and each counts what is left of that member's benefit. */
async function walk(home: Home, file: StackFile): Promise<void> {
  const lock = await waitForLock(home.journeyLock, () => print('Waiting for another journey to end …'));
  try {
    await runJourney(file, { print, verifyLedger: () => verifyLedger(file.database_url) });
  } finally {
    lock.release();
  }
}

function introduce(file: StackFile): void {
  const [, ...others] = file.base_urls;
  print(
    [
      '',
      'Carecover is up. Ctrl-C stops it; the data stays.',
      '',
      `  API          ${file.base_url}`,
      ...others.map((url) => `               ${url}`),
      `  Pages        ${new URL('/docs', file.base_url)}`,
      `  Temporal UI  ${file.temporal_ui}`,
      `  Key          ${file.secret_key}`,
      '',
      `  curl --cacert '${file.ca_certificate}' -H 'Authorization: Bearer ${file.secret_key}' '${file.base_url}/practitioners?limit=3'`,
      '',
    ].join('\n'),
  );
}

function replicasIn(args: readonly string[]): number {
  const wrong = (what: string) =>
    new StartFailure(`${what}: npm start takes --replicas N, a whole number from 1 to ${MOST_REPLICAS}.`);
  let text: string;
  try {
    const { values } = parseArgs({
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
function explain(error: unknown): void {
  const text = error instanceof StartFailure ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`\n${text}\n`);
}

/** Runs a command and ends the process with code 1 where it fails. */
export async function main(command: 'start' | 'journey', args: readonly string[]): Promise<void> {
  try {
    await (command === 'start' ? start(args) : journey());
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}

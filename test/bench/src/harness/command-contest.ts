/**
 * Compares a command of Carecover with the contestant `plain`, which is what a user would build instead: the same HTTP calls and SQL without
 * Temporal. Also measures how far the workflows are behind the commands of Carecover.
 */
import type { PlainRequest } from '../bare/plain-service';
import type { Shot } from '../drivers/http';
import type { Recording } from '../recording/statement';
import { startBare } from './bare-process';
import type { BenchStack, SideDatabase } from './bench-stack';
import { compareContestants, driverPath } from './contest';
import { measure } from './measure';
import { printReport } from './report';
import type { RunLag } from './run-lag';
import type { Size } from './size';

const NO_LIMIT_SECONDS = 600;
/**
 * The maximum number of requests with which each contestant is warmed up before its first measurement, so that no measurement includes
 * the initialization of processes.
 */
const MAX_WARM_UPS = 16;
const WARM_UP_CONNECTIONS = 8;
const LEAST_PER_CONNECTION = 4;

/**
 * Returns the number of requests per measurement: several per connection, so that the end of the measurement, when not all connections
 * are busy, has little weight.
 */
function countOf({ prepared }: Size, connections: number): number {
  return Math.max(prepared, LEAST_PER_CONNECTION * connections);
}

/** Returns the number of requests before the first measurement. */
function warmUpsOf({ prepared }: Size): number {
  return Math.min(MAX_WARM_UPS, prepared);
}

/** Returns the number of requests that each contestant needs for the warm-up and all measurements together. */
export function totalOf(size: Size): number {
  return size.connections.reduce(
    (sum, connections) => sum + size.rounds * countOf(size, connections),
    warmUpsOf(size),
  );
}

/** Returns a function that returns the next `count` items with each call. @throws Error if not enough items are left */
function createPortions<T>(all: readonly T[]): (count: number) => readonly T[] {
  let given = 0;
  return (count) => {
    const portion = all.slice(given, given + count);
    if (portion.length < count) throw new Error('no prepared items are left');
    given += count;
    return portion;
  };
}

interface PlainServices {
  readonly origin: string;
  stop(): Promise<void>;
}

/**
 * Starts the plain contestant: one process for a gateway with TLS, one for the service that executes the command, and one for each service
 * that it calls.
 *
 * @param service the name of the service that executes the commands of the recording
 */
export async function startPlain(
  { tls }: BenchStack,
  side: SideDatabase,
  recording: Recording,
  service: string,
): Promise<PlainServices> {
  const start = (name: string, others: Record<string, string>) => {
    const replay = { url: side.url(name), recording };
    return startBare<{ origin: string }>('plain-service', { service: name, replay, others }, name);
  };
  const names = [...new Set(recording.steps.map((step) => step.service))].filter((name) => name !== service);
  const called = await Promise.all(names.map((name) => start(name, {})));
  const origins = Object.fromEntries(names.map((name, index) => [name, called[index]?.ready.origin ?? '']));
  const first = await start(service, origins);
  const gateway = await startBare<{ port: number }>('bare-gateway', { service: first.ready.origin, tls });
  return {
    origin: `https://127.0.0.1:${gateway.ready.port}`,
    async stop() {
      for (const each of [gateway, first, ...called]) await each.stop();
    },
  };
}

/** Creates the request for a command to the plain contestant. */
export function plainShot(command: string, request: PlainRequest): Shot {
  return { method: 'POST', path: `/commands/${command}`, body: request };
}

export interface MeasuredCommand {
  readonly benchmark: string;
  readonly title: string;
  /** The requests to Carecover's API, as many as {@link totalOf} returns. */
  readonly ours: readonly Shot[];
  readonly plainOrigin: string;
  /** The requests to the plain contestant, as many as to Carecover's API. */
  readonly plain: readonly Shot[];
  /** Creates the data that the next requests to the plain contestant need. */
  readonly preparePlain?: (shots: readonly Shot[]) => Promise<void>;
}

/**
 * Measures a command of Carecover and the plain contestant, and prints the report. The workflows follow during the measurements of
 * Carecover. A measurement of the plain contestant begins when no signal to a workflow is pending.
 */
export async function compareCommand(
  { https }: BenchStack,
  size: Size,
  runLag: RunLag,
  command: MeasuredCommand,
): Promise<void> {
  const { plainOrigin } = command;
  const nextOurs = createPortions(command.ours);
  const nextPlain = createPortions(command.plain);
  const contestants = [
    {
      name: 'ours',
      driver: 'http',
      options(count: number) {
        runLag.startLoad();
        return { ...https, shots: nextOurs(count), again: false };
      },
    },
    {
      name: 'plain: same HTTP calls and SQL',
      driver: 'http',
      async options(count: number) {
        await runLag.endLoad();
        const shots = nextPlain(count);
        await command.preparePlain?.(shots);
        return { ...https, origin: plainOrigin, key: null, shots, again: false };
      },
    },
  ];
  for (const { driver, options } of contestants) {
    await measure({
      driver: driverPath(driver),
      options: await options(warmUpsOf(size)),
      connections: WARM_UP_CONNECTIONS,
      warmUpMs: 0,
      measureMs: NO_LIMIT_SECONDS * 1_000,
    });
  }
  // The figures of the warm-up are discarded.
  runLag.take();
  const cells = await compareContestants(
    contestants.map((each) => ({
      ...each,
      options: (connections: number) => each.options(countOf(size, connections)),
    })),
    { ...size, seconds: NO_LIMIT_SECONDS, warmUpSeconds: 0 },
  );
  printReport({ benchmark: command.benchmark, title: command.title, cells, runs: runLag.take() });
}

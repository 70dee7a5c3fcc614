/**
 * Measures the processor time per operation with several numbers of replicas of each process. All measurements run on the same processors, so that
 * replicas add no computing power. The processor time shows what replicas cost by their contention and their connections. The processor
 * time that the stack uses without requests is subtracted. A submission also ends the workflow of the pre-authorization that it uses, later and
 * in the background; the measurement includes this work. The numbers of clients, prepared claims and warm-up requests per replica are the
 * same for each number of replicas. With fewer of them, V8 would optimize the code of a replica less, and a replica would combine fewer
 * requests into one statement.
 *
 * Pre-authorizations are approved twice: first each reserves an amount of a coverage of its own, then all of one coverage, whose row each
 * approval locks. The difference is what contention on a shared row costs. The time that database sessions wait for locks is sampled.
 *
 * The control is a read through bare gateways and services, as many as there are replicas. They share nothing but PostgreSQL, which executes
 * one statement by primary key. What its cost grows by is caused by the number of processes on the machine, not by Carecover.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, Preauthorization } from '@carecover/client';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import { mapConcurrently } from '@carecover/testing/stack';
import { Agent, request } from 'undici';
import { practitionerToRead, startBareRead } from '../harness/bare-read';
import type { BenchStack } from '../harness/bench-stack';
import { createInParallel } from '../harness/in-parallel';
import { type ProcessorTime, readProcessorTime, subtractProcessorTime } from '../harness/processor-time';
import { formatFigure, formatTable, printJson } from '../harness/report';
import type { Benchmark } from './benchmark';

const CLIENTS_PER_REPLICA = 8;
/** The number of measured reads per prepared claim. */
const READS = 20;
/** The maximum time in milliseconds for which {@link signalAll} waits. */
const SIGNALLED_MS = 600_000;
/** The pause in milliseconds between two samples of the waiting database sessions. */
const SAMPLE_MS = 20;
/** The amount in minor units and the number of sessions of the coverage that all approvals share: more than they reserve together. */
const SHARED_LIMIT = 1_000_000_000_000;
const SHARED_SESSIONS = 100_000;

interface Row {
  readonly operation: string;
  readonly replicas: number;
  readonly count: number;
  readonly perSecond: number;
  readonly processorMs: number;
  /** The processor time per operation in milliseconds, by process. The sum is `processorMs`. */
  readonly processorShares: Readonly<Record<string, number>>;
  /** The time per operation in milliseconds that the services' database sessions waited for locks. */
  readonly lockWaitMs: number;
  /** Processor time per second in milliseconds that all processes use while the stack receives no requests. */
  readonly idleMs: number;
}

/**
 * The results for all numbers of replicas. The benchmark is called once for each number of replicas, first for one replica, and adds its
 * results here.
 */
const rows: Row[] = [];

interface Usage {
  readonly elapsedMs: number;
  readonly used: ProcessorTime;
}

async function usedWhile(work: () => Promise<unknown>): Promise<Usage> {
  const before = readProcessorTime();
  const startedMs = performance.now();
  await work();
  const elapsedMs = performance.now() - startedMs;
  const used = subtractProcessorTime(before, readProcessorTime());
  if (used === null) throw new Error('This benchmark needs the processor times of Linux.');
  return { elapsedMs, used };
}

const total = (times: Iterable<number>) => [...times].reduce((sum, ms) => sum + ms, 0);

/** Returns a function that sends requests to the origins in rotation. @throws Error if a response has no status below 300 */
function createSender({ https }: BenchStack, origins: readonly string[]) {
  const dispatcher = new Agent({ connect: { ca: https.ca } });
  let sent = 0;
  const send = async <T>(path: string, body?: object): Promise<T> => {
    const response = await request(`${origins[sent++ % origins.length]}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${https.key}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      dispatcher,
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text) as T;
  };
  return { send, close: () => dispatcher.close() };
}

/** Starts as many bare gateways, each with a bare service, as the stack has gateways. */
async function startControl(stack: BenchStack) {
  const id = await practitionerToRead(stack);
  const pairs = await Promise.all(stack.origins.map(() => startBareRead(stack, id)));
  const origins = pairs.map(({ gatewayPort }) => `https://127.0.0.1:${gatewayPort}`);
  const { send, close } = createSender(stack, origins);
  return {
    read: () => send(`/practitioners/${id}`),
    async stop() {
      await close();
      await Promise.all(pairs.map((pair) => pair.stop()));
    },
  };
}

/** Waits until benefits has signalled the workflows of all used pre-authorizations, at the bounded rate of its settings. */
async function signalAll(sql: Sql): Promise<void> {
  const isDone = async () => (await sql`select 1 from benefits.workflow_signals limit 1`).length === 0;
  await eventually('benefits has signalled all workflows', isDone, SIGNALLED_MS);
}

/**
 * Samples how many database sessions wait for a lock, until the returned function is called. That function returns their mean number, which
 * is also the seconds of waiting per second.
 */
function sampleLockWaits(sql: Sql): () => Promise<number> {
  let samples = 0;
  let waiting = 0;
  let isStopped = false;
  const sampling = (async () => {
    while (!isStopped) {
      const [row] = await sql<{ waiting: number }[]>`
        select count(*)::integer as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      samples += 1;
      waiting += row?.waiting ?? 0;
      await sleep(SAMPLE_MS);
    }
  })();
  return async () => {
    isStopped = true;
    await sampling;
    return waiting / samples;
  };
}

export const replicas: Benchmark = async (stack, { seconds, prepared }) => {
  const count = stack.origins.length;
  const { world } = stack;
  const { send, close } = createSender(stack, stack.origins);
  const clients = CLIENTS_PER_REPLICA * count;
  const perPhase = prepared * count;
  const inputs = (await createInParallel(2 * perPhase, () => world.createClaimableSession())).map((each) =>
    world.claimInput(each),
  );
  const submit = (input: object) => send<Claim>('/claims', input);
  const adjudicate = ({ id }: Claim) => send(`/claims/${id}/adjudications`, world.adjudicationInput());
  const read = ({ id }: Claim) => send(`/claims/${id}`);
  const repeat = (claims: readonly Claim[]) => Array.from({ length: READS }, () => claims).flat();

  const approve = ({ id }: Preauthorization) =>
    send(`/preauthorizations/${id}/decisions`, world.approvalInput());

  const own = await createInParallel(2 * perPhase, async () => {
    return (await world.createPendingPreauthorization()).preauthorization;
  });
  const member = world.uniqueReference('member');
  await world.recordCoverage(member, { amount_limit: SHARED_LIMIT, remaining_sessions: SHARED_SESSIONS });
  const shared = await createInParallel(perPhase, async () =>
    world.requestPreauthorization(await world.createBooking(member)),
  );

  const sql = connectPostgres(stack.databaseUrl('benefits'), 1, 'bench');

  const warm = await mapConcurrently(inputs.slice(0, perPhase), clients, submit);
  await signalAll(sql);
  await mapConcurrently(warm, clients, adjudicate);
  await mapConcurrently(own.slice(0, perPhase), clients, approve);
  await mapConcurrently(repeat(warm), clients, read);
  // The stack gets time to publish the events of the preparation and to end its sweeps, before it is measured without requests.
  await sleep(seconds * 1_000);
  const idle = await usedWhile(() => sleep(seconds * 1_000));

  const measure = async <I, O>(operation: string, items: readonly I[], work: (item: I) => Promise<O>) => {
    let done: O[] = [];
    let operationsMs = Number.NaN;
    let lockWaits = Number.NaN;
    const { elapsedMs, used } = await usedWhile(async () => {
      const startedMs = performance.now();
      const stopSampling = sampleLockWaits(sql);
      done = await mapConcurrently(items, clients, work);
      operationsMs = performance.now() - startedMs;
      lockWaits = await stopSampling();
      await signalAll(sql);
    });
    const idlePart = elapsedMs / idle.elapsedMs;
    const processorShares = Object.fromEntries(
      [...used].map(([name, ms]) => [name, (ms - (idle.used.get(name) ?? 0) * idlePart) / items.length]),
    );
    rows.push({
      operation,
      replicas: count,
      count: items.length,
      perSecond: (items.length * 1_000) / operationsMs,
      processorMs: total(Object.values(processorShares)),
      processorShares,
      lockWaitMs: (lockWaits * operationsMs) / items.length,
      idleMs: (total(idle.used.values()) * 1_000) / idle.elapsedMs,
    });
    return done;
  };
  const claims = await measure('submission of a claim', inputs.slice(perPhase), submit);
  await measure('adjudication', claims, adjudicate);
  await measure('read of a claim', repeat(claims), read);
  await measure('approval, coverage of its own', own.slice(perPhase), approve);
  await measure('approval, one coverage', shared, approve);

  const control = await startControl(stack);
  await mapConcurrently(repeat(warm), clients, control.read);
  await measure('control: bare read', repeat(claims), control.read);
  await control.stop();
  await Promise.all([close(), sql.end()]);
  print();
};

function print(): void {
  const head = [
    'operation',
    'replicas',
    'operations',
    'per second',
    'CPU ms',
    'to one replica',
    'lock wait ms',
    'idle CPU ms/s',
  ];
  const sorted = [...rows].sort((a, b) => a.operation.localeCompare(b.operation) || a.replicas - b.replicas);
  const cells = sorted.map(({ operation, replicas, count, perSecond, processorMs, lockWaitMs, idleMs }) => {
    const one = rows.find((row) => row.operation === operation)?.processorMs ?? Number.NaN;
    return [
      operation,
      ...[replicas, count].map(String),
      ...[perSecond, processorMs].map(formatFigure),
      (processorMs / one).toFixed(2),
      formatFigure(lockWaitMs),
      formatFigure(idleMs),
    ];
  });
  const shares = sorted.map(({ operation, replicas, processorShares }) => {
    const parts = Object.entries(processorShares).map(([name, ms]) => `${name} ${formatFigure(ms)}`);
    return `\nCPU ms of ${operation}, ${replicas} replicas: ${parts.join(', ')}`;
  });
  process.stdout.write(
    `\nProcessor time with several replicas\n${formatTable([head, ...cells], 0)}${shares.join('')}\n`,
  );
  printJson({ benchmark: 'replicas', rows });
}

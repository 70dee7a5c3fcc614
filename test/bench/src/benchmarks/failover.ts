/**
 * Measures the errors and latencies of clients when one of two replicas of a process is killed (SIGKILL) or paused (SIGSTOP), and when a
 * server without replicas is killed. After a lost connection, a client repeats the request with the same idempotency key at the other
 * gateway, as a load balancer does. Responses with an error are included in the results.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, Remittance } from '@carecover/client';
import { freeze } from '@carecover/testing/servers';
import { Agent, request } from 'undici';
import type { BenchStack } from '../harness/bench-stack';
import { createInParallel } from '../harness/in-parallel';
import { percentile } from '../harness/measure';
import { formatFigure, formatTable, printJson } from '../harness/report';
import { type Size, UsageError } from '../harness/size';
import type { Benchmark } from './benchmark';

const SERVICES = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'] as const;
/** The maximum number of concurrent clients; there are at most `--prepared`. */
const MAX_CLIENTS = 4;
/** The mean pause between two commands of a client, in milliseconds. It makes a load of about half the capacity of two cores. */
const PAUSE_MS = 250;
/** One in this number of commands of a client is the submission of a claim for a session that was prepared before the measurement. */
const SUBMISSION_EVERY = 10;
/**
 * Durations as multiples of `--seconds`: the time before the fault, the time after a kill, and the time for which a process is suspended
 * with SIGSTOP (30 s with `--seconds 4`).
 */
const [BEFORE, AFTER_KILL, PAUSED] = [0.5, 3, 7.5];
/** The time in milliseconds between the kill and the restart of a server without replicas. */
const DOWN_MS = 2_000;

interface Sample {
  readonly kind: 'command' | 'read';
  readonly status: number;
  readonly ms: number;
}

interface Fault {
  readonly process: string;
  readonly fault: 'SIGKILL' | 'SIGSTOP';
  readonly lastsMs: number;
  /** Starts the fault and returns a function that ends it. */
  readonly begin: () => Promise<() => Promise<void>>;
}

/** Sends requests as a client does through a load balancer, and records their results. */
class Client {
  readonly samples: Sample[] = [];
  private sent = 0;
  private readonly agent: Agent;

  constructor(private readonly stack: BenchStack) {
    this.agent = new Agent({ connect: { ca: stack.https.ca, timeout: 1_000 } });
  }

  async post<T>(path: string, body: object): Promise<T | undefined> {
    return this.send<T>('POST', path, JSON.stringify(body));
  }

  async get<T>(path: string): Promise<T | undefined> {
    return this.send<T>('GET', path, null);
  }

  private async send<T>(method: 'GET' | 'POST', path: string, body: string | null): Promise<T | undefined> {
    const startedAt = performance.now();
    const headers = {
      authorization: `Bearer ${this.stack.https.key}`,
      ...(body === null ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    };
    const { origins } = this.stack;
    const first = this.sent++;
    for (let attempt = 0; ; attempt++) {
      const origin = origins[(first + attempt) % origins.length];
      const [status, responseBody] = await request(`${origin}/v1${path}`, {
        method,
        headers,
        body,
        dispatcher: this.agent,
        // A load balancer sends the request to the other gateway if the first gateway has not started its response within this time.
        headersTimeout: 5_000,
      })
        .then(async (response) => [response.statusCode, (await response.body.json()) as T] as const)
        .catch(() => [0, undefined] as const);
      if (status === 0 && attempt < 2 * origins.length) continue;
      this.samples.push({
        kind: method === 'GET' ? 'read' : 'command',
        status,
        ms: performance.now() - startedAt,
      });
      return status < 300 ? responseBody : undefined;
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** Sends commands that have steps in every service, one at a time with pauses, until `isStopped` returns true. */
async function sendUntilStopped(
  { world }: BenchStack,
  client: Client,
  { undecided, decided }: Readonly<Record<'undecided' | 'decided', Claim>>,
  isStopped: () => boolean,
  nextSubmission: () => object | undefined,
): Promise<void> {
  let commands = 0;
  const pause = () => sleep(PAUSE_MS * (0.5 + Math.random()));
  while (!isStopped()) {
    await client.post(`/claims/${undecided.id}/adjudications`, world.adjudicationInput());
    await client.get(`/claims/${undecided.id}`);
    await pause();
    const advice = world.remittanceInput([{ claim_id: decided.id, paid_amount: 1 }]);
    const remittance = await client.post<Remittance>('/remittances', advice);
    await pause();
    if (remittance !== undefined) await client.post('/settlements', world.settlementInput(remittance.id, 1));
    await pause();
    commands += 3;
    if (commands % SUBMISSION_EVERY < 3) {
      const submission = nextSubmission();
      if (submission !== undefined) await client.post('/claims', submission);
      await pause();
    }
  }
}

async function play(stack: BenchStack, fault: Fault, size: Size) {
  const lastsMs = fault.lastsMs;
  const clientCount = Math.min(MAX_CLIENTS, size.prepared);
  const submissions = Math.ceil((clientCount * (lastsMs / PAUSE_MS)) / SUBMISSION_EVERY);
  const claimables = await createInParallel(submissions, () => stack.world.createClaimableSession());
  const inputs = claimables.map((each) => stack.world.claimInput(each));
  const claims = await createInParallel(clientCount, async () => ({
    undecided: await stack.world.createSubmittedClaim(),
    decided: await stack.world.createAdjudicatedClaim(),
  }));
  const client = new Client(stack);
  let isOver = false;
  const calling = Promise.all(
    claims.map((claim) =>
      sendUntilStopped(
        stack,
        client,
        claim,
        () => isOver,
        () => inputs.pop(),
      ),
    ),
  );
  await sleep(BEFORE * size.seconds * 1_000);
  client.samples.length = 0;
  const end = await fault.begin();
  await sleep(lastsMs);
  isOver = true;
  await calling;
  await end();
  await client.close();
  return summarize(fault, client.samples);
}

function summarize({ process, fault }: Fault, samples: readonly Sample[]) {
  const of = (kind: Sample['kind']) =>
    samples
      .filter((sample) => sample.kind === kind)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
  const [commands, reads] = [of('command'), of('read')];
  return {
    process,
    fault,
    commands: commands.length,
    unavailable: samples.filter(({ status }) => status === 503).length,
    failed: samples.filter(({ status }) => status >= 300 && status !== 503).length,
    unanswered: samples.filter(({ status }) => status === 0).length,
    p50Ms: percentile(commands, 0.5),
    p99Ms: percentile(commands, 0.99),
    maxMs: commands.at(-1) ?? Number.NaN,
    readsMaxMs: reads.at(-1) ?? Number.NaN,
  };
}

function faultsOf({ parts }: BenchStack, { seconds, processes }: Size): Fault[] {
  const replicated = SERVICES.flatMap((service): Fault[] => {
    const replica = parts.process(service, 0);
    return [
      {
        process: service,
        fault: 'SIGKILL',
        lastsMs: AFTER_KILL * seconds * 1_000,
        async begin() {
          await replica.kill();
          return () => replica.start();
        },
      },
      {
        process: service,
        fault: 'SIGSTOP',
        lastsMs: PAUSED * seconds * 1_000,
        async begin() {
          const thaw = freeze(replica.pid ?? 0);
          return async () => thaw();
        },
      },
    ];
  });
  const single = Object.entries(parts.servers).map(
    ([name, server]): Fault => ({
      process: name,
      fault: 'SIGKILL',
      lastsMs: AFTER_KILL * seconds * 1_000,
      async begin() {
        await server.kill();
        const back = sleep(DOWN_MS).then(() => server.start());
        return () => back;
      },
    }),
  );
  const all = [...replicated, ...single];
  const names = new Set(all.map(({ process }) => process));
  const unknown = processes?.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new UsageError(`--processes: ${unknown} is not one of: ${[...names].join(', ')}.`);
  return all.filter(({ process }) => processes?.includes(process) ?? true);
}

export const failover: Benchmark = async (stack, size) => {
  const rows: ReturnType<typeof summarize>[] = [];
  for (const fault of faultsOf(stack, size)) {
    process.stderr.write(`… ${fault.process}, ${fault.fault}\n`);
    rows.push(await play(stack, fault, size));
  }
  const head = [
    'process',
    'fault',
    'commands',
    '503',
    'other errors',
    'no response',
    'p50 ms',
    'p99 ms',
    'max ms',
    'reads max ms',
  ];
  const cells = rows.map((row) => [
    row.process in stack.parts.servers ? `${row.process} (single)` : row.process,
    row.fault,
    ...[row.commands, row.unavailable, row.failed, row.unanswered].map(String),
    ...[row.p50Ms, row.p99Ms, row.maxMs, row.readsMaxMs].map(formatFigure),
  ]);
  process.stdout.write(`\nOne of two replicas is killed or paused\n${formatTable([head, ...cells], 0)}\n`);
  printJson({ benchmark: 'failover', rows });
};

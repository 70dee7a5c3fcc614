/**
 * Measures the maximum of deliveries per second, compared with a bare loop of signed requests; the time from the commit of an event to
 * its receipt at fixed rates; and how a receiver that never responds and a slow receiver affect deliveries to other endpoints.
 */
import { connectPostgres } from '@carecover/postgres';
import { startBare } from '../harness/bare-process';
import type { BenchStack } from '../harness/bench-stack';
import { driverPath } from '../harness/contest';
import { measure, median, percentile } from '../harness/measure';
import { measureAtRate, measureBurst, type Outbox } from '../harness/outbox';
import { GENERATOR, readProcessorTime, subtractProcessorTime } from '../harness/processor-time';
import { formatTable, printJson } from '../harness/report';
import type { Size } from '../harness/size';
import type { Benchmark } from './benchmark';

const ENDPOINTS = 4;
/** The number of concurrent requests of the bare limit: as many as Carecover makes to the measured endpoints. */
const BARE_CONNECTIONS = 40;
const RATES = [10, 100, 300];
/**
 * The number of endpoints, including one that never responds and one that responds slowly. Every second measurement leaves these two out.
 */
const NEIGHBOURS = 20;
/** The number of events per second. Each event is delivered to all endpoints. */
const NEIGHBOURS_RATE = 10;

interface Contest {
  readonly stack: BenchStack;
  readonly outbox: Outbox;
  /** The URL of the receiver at its first destination, and all its destinations. */
  readonly receiver: string;
  readonly destinations: readonly string[];
  readonly size: Size;
}

/** Runs `work` while the project has an endpoint for each of these URLs, and returns its result. */
async function whileSubscribed<T>(
  { stack: { client } }: Contest,
  urls: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const endpoints = await Promise.all(
    urls.map((url) => client.webhookEndpoints.create({ url, events: ['claim.submitted'] })),
  );
  try {
    return await work();
  } finally {
    await Promise.all(endpoints.map(({ id }) => client.webhookEndpoints.disable(id)));
  }
}

const addresses = (receiver: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${receiver}/${number}`);

/** Measures bursts of events to endpoints of as many hosts, as receivers usually are, or to endpoints that share one host. */
async function compareBursts(contest: Contest, hosts: 'own hosts' | 'one host'): Promise<void> {
  const { outbox, receiver, destinations, size } = contest;
  const urls =
    hosts === 'one host'
      ? addresses(receiver, ENDPOINTS)
      : destinations.map((url, number) => `${url}/${number}`);
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const rounds: { ours: number; bare: number; bareCpuMs: number }[] = [];
  const events = size.prepared * 20;
  const used = new Map<string, number>();
  await whileSubscribed(contest, urls, async () => {
    await measureBurst(outbox, receiver, Math.ceil(events / 4), ENDPOINTS);
    for (let round = 0; round < size.rounds; round++) {
      const before = readProcessorTime();
      const ours = await measureBurst(outbox, receiver, events, ENDPOINTS);
      for (const [name, ms] of subtractProcessorTime(before, readProcessorTime()) ?? []) {
        used.set(name, (used.get(name) ?? 0) + ms);
      }
      const bare = await measure({
        driver: driverPath('signed-posts'),
        options: { urls, secret },
        connections: BARE_CONNECTIONS,
        warmUpMs: size.warmUpSeconds * 1_000,
        measureMs: size.seconds * 1_000,
      });
      const bareCpuMs = [...(bare.processorMs ?? [])].reduce((sum, [, ms]) => sum + ms, 0);
      rounds.push({ ours, bare: bare.perSecond, bareCpuMs });
    }
  });
  const deliveries = size.rounds * events * ENDPOINTS;
  const shares = [...used]
    .filter(([name]) => name !== GENERATOR)
    .map(([name, ms]) => [name, ms / deliveries] as const)
    .sort(([, a], [, b]) => b - a);
  const oursCpuMs = shares.reduce((sum, [, ms]) => sum + ms, 0);
  const figures = {
    ours: median(rounds.map(({ ours }) => ours)),
    bare: median(rounds.map(({ bare }) => bare)),
    ratio: median(rounds.map(({ ours, bare }) => ours / bare)),
    ratioByCpu: median(rounds.map(({ bareCpuMs }) => bareCpuMs)) / oursCpuMs,
  };
  const rows = [
    ['', 'deliveries', 'per second'],
    ['', `ours, ${events} events to ${ENDPOINTS} endpoints of ${hosts}`, figures.ours.toFixed(0)],
    ['', 'bare loop of signed posts', figures.bare.toFixed(0)],
    ['', 'ours to it', figures.ratio.toFixed(2)],
    ['', 'by CPU', figures.ratioByCpu.toFixed(2)],
  ];
  const parts = shares.map(([name, ms]) => `${name} ${ms.toFixed(3)}`).join(', ');
  process.stdout.write(
    `\nSustained deliveries, ${hosts}\n${formatTable(rows)}\nCPU ms per delivery: ${parts}\n`,
  );
  printJson({
    benchmark: `webhooks: sustained, ${hosts}`,
    ...figures,
    processorShares: Object.fromEntries(shares),
  });
}

async function latencies(contest: Contest): Promise<void> {
  const { outbox, receiver, size } = contest;
  const figures: { rate: number; p50Ms: number; p99Ms: number }[] = [];
  await whileSubscribed(contest, [`${receiver}/one`], async () => {
    for (const perSecond of RATES) {
      const sorted = await measureAtRate(outbox, receiver, {
        perSecond,
        seconds: size.seconds,
        endpoints: 1,
      });
      figures.push({ rate: perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) });
    }
  });
  const rows = figures.map(({ rate, p50Ms, p99Ms }) => [
    String(rate),
    '',
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
  ]);
  process.stdout.write(
    `\nFrom commit to receipt\n${formatTable([['per second', '', 'p50 ms', 'p99 ms'], ...rows])}\n`,
  );
  printJson({ benchmark: 'webhooks: latency', figures });
}

/**
 * Measures the latencies of deliveries to working endpoints, alternately without and with two further endpoints: one never responds, and
 * one is slow.
 */
async function compareNeighbours(contest: Contest): Promise<void> {
  const { outbox, receiver, size } = contest;
  const healthy = addresses(receiver, NEIGHBOURS - 2);
  const measureOthers = (urls: readonly string[]) =>
    whileSubscribed(contest, urls, () =>
      measureAtRate(outbox, receiver, {
        ...{ perSecond: NEIGHBOURS_RATE, seconds: size.seconds },
        endpoints: healthy.length,
      }),
    );
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < size.rounds; round++) {
    alone.push(...(await measureOthers(healthy)));
    beside.push(...(await measureOthers([...healthy, `${receiver}/dead`, `${receiver}/slow`])));
  }
  const p99Of = (latencies: number[]) =>
    percentile(
      latencies.sort((a, b) => a - b),
      0.99,
    );
  const [aloneP99Ms, besideP99Ms] = [p99Of(alone), p99Of(beside)];
  const figures = { aloneP99Ms, besideP99Ms, ratio: besideP99Ms / aloneP99Ms };
  const rows = [
    ['', `${healthy.length} endpoints, ${NEIGHBOURS_RATE} events per second`, 'p99 ms'],
    ['', 'alone', figures.aloneP99Ms.toFixed(1)],
    ['', 'beside a dead and a slow one', figures.besideP99Ms.toFixed(1)],
    ['', 'the latter to the former', figures.ratio.toFixed(2)],
  ];
  process.stdout.write(`\nA dead and a slow neighbour\n${formatTable(rows)}\n`);
  printJson({ benchmark: 'webhooks: neighbours', ...figures });
}

export const webhooks: Benchmark = async (stack, size) => {
  const sql = connectPostgres(stack.databaseUrl('claims'), 8, 'bench-outbox');
  const receiver = await startBare<{ urls: [string, ...string[]] }>('receiver', { destinations: ENDPOINTS });
  const destinations = receiver.ready.urls;
  const outbox = { sql, projectId: stack.projectId };
  const contest = { stack, outbox, receiver: destinations[0], destinations, size };
  await compareBursts(contest, 'own hosts');
  await compareBursts(contest, 'one host');
  await latencies(contest);
  await compareNeighbours(contest);
  await receiver.stop();
  await sql.end();
};

/**
 * Deliveries: how many a second when there is more than can be sent, beside a bare loop of signed posts; and how long after an
 * event's commit it is received, at fixed rates. Events are committed to the outbox of claims, as its transactions do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectPostgres, newId, type Sql } from '@carecover/platform';
import type { Received } from '../bare/receiver';
import { startBare } from '../harness/bare-process';
import type { BenchStack } from '../harness/bench-stack';
import { driverPath } from '../harness/contest';
import { eventAbout } from '../harness/event';
import { measure, median, percentile } from '../harness/measure';
import { GENERATOR, processorTime, usedBetween } from '../harness/processor-time';
import { printJson, table } from '../harness/report';
import type { Size } from '../harness/size';
import type { Benchmark } from './benchmark';

const ENDPOINTS = 4;
/** As many posts under way as ours has to these endpoints. */
const BARE_CONNECTIONS = 40;
const RATES = [10, 100, 300];
const POLL_MS = 20;
const PATIENCE_MS = 60_000;

interface Outbox {
  readonly sql: Sql;
  readonly projectId: string;
}

/** Commits one event; gives when that was done. */
async function commitEvent({ sql, projectId }: Outbox): Promise<void> {
  const id = newId('evt_');
  const resourceId = newId('clm_');
  await sql`
    insert into outbox (event_id, project_id, resource_id, type, payload)
    values (${id}, ${projectId}, ${resourceId}, 'claim.submitted', ${eventAbout(id, resourceId)})`;
}

async function told(receiver: string): Promise<Received> {
  return (await fetch(`${receiver}/received`)).json() as Promise<Received>;
}

/** Waits until so many have come. @throws where they don't */
async function received(receiver: string, count: number): Promise<Received> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const state = await told(receiver);
    if (state.count >= count) return state;
    if (Date.now() > until) throw new Error(`${state.count} of ${count} deliveries came`);
    await sleep(POLL_MS);
  }
}

/** Commits `count` events at once; gives the deliveries a second from the first commit to the last receipt. */
async function burst(outbox: Outbox, receiver: string, count: number): Promise<number> {
  await fetch(`${receiver}/expect`);
  const began = performance.timeOrigin + performance.now();
  await Promise.all(Array.from({ length: count }, () => commitEvent(outbox)));
  const { lastAt, count: came } = await received(receiver, count * ENDPOINTS);
  return (came * 1_000) / (lastAt - began);
}

/** Commits events at a fixed rate, whatever becomes of them; gives the sorted latencies. */
async function atRate(
  outbox: Outbox,
  receiver: string,
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  await fetch(`${receiver}/expect`);
  const count = Math.ceil(perSecond * seconds);
  const began = performance.now();
  const commits: Promise<void>[] = [];
  for (let number = 0; number < count; number++) {
    const dueIn = began + (number * 1_000) / perSecond - performance.now();
    if (dueIn > 0) await sleep(dueIn);
    commits.push(commitEvent(outbox));
  }
  await Promise.all(commits);
  const { latencies } = await received(receiver, count);
  return [...latencies].sort((a, b) => a - b);
}

async function subscribe({ client }: BenchStack, url: string): Promise<string> {
  const { id } = await client.webhookEndpoints.create({ url, events: ['claim.submitted'] });
  return id;
}

async function compareBursts(outbox: Outbox, stack: BenchStack, receiver: string, size: Size): Promise<void> {
  const urls = Array.from({ length: ENDPOINTS }, (_, number) => `${receiver}/${number}`);
  const endpoints = await Promise.all(urls.map((url) => subscribe(stack, url)));
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const rounds: { ours: number; bare: number }[] = [];
  const events = size.prepared * 5;
  await burst(outbox, receiver, Math.ceil(events / 5));
  const before = processorTime();
  for (let round = 0; round < size.rounds; round++) {
    const ours = await burst(outbox, receiver, events);
    const bare = await measure({
      driver: driverPath('signed-posts'),
      options: { urls, secret },
      connections: BARE_CONNECTIONS,
      warmUpMs: size.warmUpSeconds * 1_000,
      measureMs: size.seconds * 1_000,
    });
    rounds.push({ ours, bare: bare.perSecond });
  }
  const used = usedBetween(before, processorTime());
  await Promise.all(endpoints.map((id) => stack.client.webhookEndpoints.disable(id)));
  const figures = {
    ours: median(rounds.map(({ ours }) => ours)),
    bare: median(rounds.map(({ bare }) => bare)),
    ratio: median(rounds.map(({ ours, bare }) => ours / bare)),
  };
  const rows = [
    ['', 'deliveries', 'a second'],
    ['', `ours, ${events} events to ${ENDPOINTS} endpoints`, figures.ours.toFixed(0)],
    ['', 'bare loop of signed posts', figures.bare.toFixed(0)],
    ['', 'ours to it', figures.ratio.toFixed(2)],
  ];
  const deliveries = size.rounds * events * ENDPOINTS;
  const shares = Object.fromEntries(
    [...(used ?? [])].filter(([name]) => name !== GENERATOR).map(([name, ms]) => [name, ms / deliveries]),
  );
  process.stdout.write(`\nSustained deliveries\n${table(rows)}\n`);
  printJson({ benchmark: 'webhooks: sustained', ...figures, processorShares: shares });
}

async function latencies(outbox: Outbox, stack: BenchStack, receiver: string, size: Size): Promise<void> {
  const endpoint = await subscribe(stack, `${receiver}/one`);
  const figures = [];
  for (const rate of RATES) {
    const sorted = await atRate(outbox, receiver, rate, size.seconds);
    figures.push({ rate, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) });
  }
  await stack.client.webhookEndpoints.disable(endpoint);
  const rows = figures.map(({ rate, p50Ms, p99Ms }) => [
    String(rate),
    '',
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
  ]);
  process.stdout.write(
    `\nFrom commit to receipt\n${table([['a second', '', 'p50 ms', 'p99 ms'], ...rows])}\n`,
  );
  printJson({ benchmark: 'webhooks: latency', figures });
}

export const webhooks: Benchmark = async (stack, size) => {
  const sql = connectPostgres(stack.databaseUrl('claims'), 8, 'bench-outbox');
  const receiver = await startBare<{ url: string }>('receiver', {});
  const outbox = { sql, projectId: stack.projectId };
  await compareBursts(outbox, stack, receiver.ready.url, size);
  await latencies(outbox, stack, receiver.ready.url, size);
  await receiver.stop();
  await sql.end();
};

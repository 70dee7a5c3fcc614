/**
 * Events are committed at a fixed rate while NATS, the webhook service, the services whose relays publish them, and PostgreSQL
 * die by SIGKILL in turn: every event arrives at every endpoint, at least once, under its one id, and nothing else does.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventType } from '@carecover/contract';
import { testSize } from '@carecover/local/testing';
import { connectPostgres, eventPayload, newId, type Sql } from '@carecover/platform';
import { pause, type RunningWorld, startWorld, until } from '@carecover/test-support';

const EVENTS = testSize({ ci: 100, soak: 5_000 });
const ENDPOINTS = 20;
const PER_SECOND = testSize({ ci: 8, soak: 40 });
/** Between one death and the next. */
const CALM_MS = testSize({ ci: 700, soak: 4_000 });
const DEAD_MS = testSize({ ci: 300, soak: 1_000 });

/** Whose outboxes the events go through, and what they tell. */
const SOURCES = [
  { service: 'claims', type: 'claim.submitted', prefix: 'clm_' },
  { service: 'benefits', type: 'preauthorization.requested', prefix: 'preauth_' },
  { service: 'payments', type: 'remittance.reconciled', prefix: 'rem_' },
] as const satisfies readonly { service: string; type: EventType; prefix: string }[];

let running: RunningWorld;
let sql: Sql;
let server: Server;
/** How often each event came, by endpoint. */
const arrivals = Array.from({ length: ENDPOINTS }, () => new Map<string, number>());

beforeAll(async () => {
  running = await startWorld();
  sql = connectPostgres(running.stack.file.database_url, 8, 'chaos');
  server = createServer((request, response) => {
    const seen = arrivals[Number(request.url?.slice(1))];
    const id = String(request.headers['webhook-id']);
    seen?.set(id, (seen.get(id) ?? 0) + 1);
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}, 120_000);

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await sql?.end({ timeout: 5 });
  await running?.stop();
});

/** Commits an event to a service's outbox, as its transactions do; asks again, about the same, until it is. */
async function commit(number: number): Promise<string> {
  const { service, type, prefix } = SOURCES[number % SOURCES.length] ?? SOURCES[0];
  const id = newId('evt_');
  const resourceId = newId(prefix);
  const createdAt = new Date();
  const payload = eventPayload(id, {
    ...{ type, environment: 'sandbox', resourceId, resourceVersion: 1, createdAt },
    data: { id: resourceId, object: type.split('.')[0] },
  });
  for (;;) {
    try {
      await sql`
        insert into ${sql(service)}.outbox (event_id, project_id, resource_id, type, payload)
        values (${id}, ${running.stack.file.project_id}, ${resourceId}, ${type}, ${payload})
        on conflict do nothing`;
      return id;
    } catch {
      await pause(200);
    }
  }
}

async function commitAtRate(): Promise<string[]> {
  const began = performance.now();
  const commits: Promise<string>[] = [];
  for (let number = 0; number < EVENTS; number++) {
    await pause(Math.max(0, began + (number * 1_000) / PER_SECOND - performance.now()));
    commits.push(commit(number));
  }
  return Promise.all(commits);
}

/** NATS, the webhook service, a relay, PostgreSQL. */
const KINDS = 4;

/** Kills the parts in turn and starts each again, until `done` and one of each kind has died; gives how often each died. */
async function killInTurn(done: () => boolean): Promise<Record<string, number>> {
  const { servers } = running.stack;
  const service = (name: 'webhooks' | 'claims' | 'benefits' | 'payments') => running.stack.process(name);
  const parts = [
    ['NATS', () => servers.nats],
    ['webhooks', () => service('webhooks')],
    ['claims', () => service('claims')],
    ['PostgreSQL', () => servers.postgresql],
    ['webhooks', () => service('webhooks')],
    ['benefits', () => service('benefits')],
    ['NATS', () => servers.nats],
    ['payments', () => service('payments')],
    ['PostgreSQL', () => servers.postgresql],
  ] as const;
  const deaths: Record<string, number> = {};
  for (let turn = 0; turn < KINDS || !done(); turn++) {
    const [name, part] = parts[turn % parts.length] ?? parts[0];
    await pause(CALM_MS);
    await part().kill();
    deaths[name] = (deaths[name] ?? 0) + 1;
    await pause(DEAD_MS);
    await part().start();
  }
  return deaths;
}

test(
  `${EVENTS} events reach ${ENDPOINTS} endpoints while what carries them dies in turn, each at least once, and nothing else does`,
  async () => {
    const { port } = server.address() as AddressInfo;
    for (let n = 0; n < ENDPOINTS; n++) {
      await running.world.client.webhookEndpoints.create({
        url: `http://127.0.0.1:${port}/${n}`,
        events: SOURCES.map(({ type }) => type),
      });
    }
    const began = performance.now();
    let done = false;
    const killing = killInTurn(() => done);
    const ids = await commitAtRate().finally(() => {
      done = true;
    });
    const deaths = await killing;
    const missing = () => {
      const lacking = arrivals.map((seen) => ids.filter((id) => !seen.has(id)).length);
      return lacking.reduce((sum, count) => sum + count, 0);
    };
    const committedMs = performance.now() - began;
    // What a process had taken when it died is due again when its lease has ended.
    if (process.env.SOAK !== '1') await running.moveClock(31_000);
    await until('every event has arrived everywhere', async () => missing() === 0, 300_000);
    const arrivedMs = performance.now() - began;

    const known = new Set(ids);
    for (const seen of arrivals) for (const id of seen.keys()) expect(known.has(id)).toBe(true);
    const received = arrivals.flatMap((seen) => [...seen.values()]).reduce((sum, times) => sum + times, 0);
    await until('every delivery is written down', async () => {
      const [row] = await sql<{ delivered: number; all: number }[]>`
        select count(*) filter (where status = 'delivered') as delivered, count(*) as all from webhooks.deliveries`;
      return row?.delivered === EVENTS * ENDPOINTS && row.all === EVENTS * ENDPOINTS;
    });
    const seconds = (ms: number) => (ms / 1_000).toFixed(1);
    process.stdout.write(
      `${EVENTS} events to ${ENDPOINTS} endpoints: ${received} received, ${received - EVENTS * ENDPOINTS} of them repetitions; ` +
        `committed in ${seconds(committedMs)} s, all there after ${seconds(arrivedMs)} s; ` +
        `deaths: ${Object.entries(deaths)
          .map(([name, times]) => `${name} ${times}`)
          .join(', ')}\n`,
    );
  },
  testSize({ ci: 180_000, soak: 1_200_000 }),
);

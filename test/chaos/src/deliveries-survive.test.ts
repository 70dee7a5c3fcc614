/**
 * Events are committed at a fixed rate while NATS, the webhook service, the services whose relays publish them, and PostgreSQL
 * die by SIGKILL in turn: every event arrives at every endpoint, at least once, under its one id, and nothing else does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from '@carecover/contract';
import { eventually, testSize } from '@carecover/local/testing';
import { connectPostgres, eventPayload, isDatabaseAway, newId, type Sql } from '@carecover/platform';
import { type Receiver, startReceiver, useWorld } from '@carecover/test-support';
import { type Mortal, whileDying } from './dying';

const EVENTS = testSize({ ci: 100, soak: 5_000 });
const ENDPOINTS = 20;
const PER_SECOND = testSize({ ci: 8, soak: 40 });
/** One of each kind of part dies at least: NATS, the webhook service, a relay, PostgreSQL. */
const PACE = {
  calmMs: testSize({ ci: 700, soak: 4_000 }),
  deadMs: testSize({ ci: 300, soak: 1_000 }),
  deaths: 4,
};
/** Past the leases of whoever died; a soak waits for their end. */
const MOVES_CLOCK = testSize({ ci: true, soak: false });

/** Whose outboxes the events go through, and what they tell. */
const SOURCES = [
  { service: 'claims', type: 'claim.submitted', prefix: 'clm_' },
  { service: 'benefits', type: 'preauthorization.requested', prefix: 'preauth_' },
  { service: 'payments', type: 'remittance.reconciled', prefix: 'rem_' },
] as const satisfies readonly { service: string; type: EventType; prefix: string }[];

const running = useWorld();
let sql: Sql;
let receiver: Receiver;
/** How often each event came, by endpoint. */
const arrivals = Array.from({ length: ENDPOINTS }, () => new Map<string, number>());

beforeAll(async () => {
  sql = connectPostgres(running.stack.file.database_url, 8, 'chaos');
  receiver = await startReceiver(({ path, headers }) => {
    const seen = arrivals[Number(path.slice(1))];
    const id = headers['webhook-id'] ?? '';
    seen?.set(id, (seen.get(id) ?? 0) + 1);
  });
});
afterAll(async () => {
  receiver?.close();
  await sql?.end({ timeout: 5 });
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
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await sleep(200);
    }
  }
}

async function commitAtRate(): Promise<string[]> {
  const began = performance.now();
  const commits: Promise<string>[] = [];
  for (let number = 0; number < EVENTS; number++) {
    await sleep(Math.max(0, began + (number * 1_000) / PER_SECOND - performance.now()));
    commits.push(commit(number));
  }
  return Promise.all(commits);
}

function mortals(): readonly Mortal[] {
  const { nats, postgresql } = running.stack.servers;
  const service = (name: 'webhooks' | 'claims' | 'benefits' | 'payments') => running.stack.process(name);
  const webhooks = service('webhooks');
  return [
    ...[nats, webhooks, service('claims'), postgresql],
    ...[webhooks, service('benefits'), nats, service('payments'), postgresql],
  ];
}

test(
  `${EVENTS} events reach ${ENDPOINTS} endpoints while what carries them dies in turn, each at least once, and nothing else does`,
  async () => {
    for (let n = 0; n < ENDPOINTS; n++) {
      await running.world.client.webhookEndpoints.create({
        url: `${receiver.url}${n}`,
        events: SOURCES.map(({ type }) => type),
      });
    }
    const began = performance.now();
    const { result: ids, deaths } = await whileDying(mortals(), PACE, commitAtRate);
    const missing = () => {
      const lacking = arrivals.map((seen) => ids.filter((id) => !seen.has(id)).length);
      return lacking.reduce((sum, count) => sum + count, 0);
    };
    const committedMs = performance.now() - began;
    // What a process had taken when it died is due again when its lease has ended.
    if (MOVES_CLOCK) await running.moveClock(31_000);
    await eventually('every event has arrived everywhere', async () => missing() === 0, 300_000);
    const arrivedMs = performance.now() - began;

    const known = new Set(ids);
    for (const seen of arrivals) for (const id of seen.keys()) expect(known.has(id)).toBe(true);
    const received = arrivals.flatMap((seen) => [...seen.values()]).reduce((sum, times) => sum + times, 0);
    await eventually('every delivery is written down', async () => {
      const [row] = await sql<{ delivered: number; all: number }[]>`
        select count(*) filter (where status = 'delivered') as delivered, count(*) as all from webhooks.deliveries`;
      return row?.delivered === EVENTS * ENDPOINTS && row.all === EVENTS * ENDPOINTS;
    });
    const seconds = (ms: number) => (ms / 1_000).toFixed(1);
    process.stdout.write(
      `${EVENTS} events to ${ENDPOINTS} endpoints: ${received} received, ${received - EVENTS * ENDPOINTS} of them repetitions; ` +
        `committed in ${seconds(committedMs)} s, all there after ${seconds(arrivedMs)} s; ` +
        `deaths: ${[...deaths].map(([name, times]) => `${name} ${times}`).join(', ')}\n`,
    );
  },
  testSize({ ci: 180_000, soak: 1_200_000 }),
);

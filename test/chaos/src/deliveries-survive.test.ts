/**
 * Commits events at a fixed rate while NATS, the webhooks service, services with relays and PostgreSQL are killed in turn. Every endpoint
 * must receive every event at least once, under the event's ID, and no other events.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { eventPayload } from '@carecover/events';
import { connectPostgres, identifier, isDatabaseUnavailable, type Sql } from '@carecover/postgres';
import { eventually, testSize } from '@carecover/testing/servers';
import { type Receiver, startReceiver, useWorld } from '@carecover/testing/stack';
import { type KillablePart, whileKilling } from './killing';

const EVENTS = testSize({ ci: 100, soak: 5_000 });
const ENDPOINTS = 20;
const PER_SECOND = testSize({ ci: 8, soak: 40 });
/**
 * The times in milliseconds from the start of one part to the kill of the next part, and from a kill to the restart. The minimum of four
 * kills includes NATS, the webhooks service, a service with a relay, and PostgreSQL.
 */
const PACE = {
  upMs: testSize({ ci: 700, soak: 4_000 }),
  downMs: testSize({ ci: 300, soak: 1_000 }),
  minKills: 4,
};
/**
 * Whether the test moves the clock past the end of the leases that killed processes held. The soak test waits until the leases expire
 * instead.
 */
const MOVES_CLOCK = testSize({ ci: true, soak: false });

/** The services whose outboxes publish the events of this test, with the event types and the prefix of resource IDs. */
const SOURCES = [
  { service: 'claims', type: 'claim.submitted', prefix: 'clm_' },
  { service: 'benefits', type: 'preauthorization.requested', prefix: 'preauth_' },
  { service: 'payments', type: 'remittance.reconciled', prefix: 'rem_' },
] as const satisfies readonly { service: string; type: EventType; prefix: string }[];

const running = useWorld();
let sql: Sql;
let receiver: Receiver;
/** For each endpoint, a map from the ID of an event to the number of requests with this event that the endpoint received. */
const deliveryCounts = Array.from({ length: ENDPOINTS }, () => new Map<string, number>());

beforeAll(async () => {
  sql = connectPostgres(running.stack.file.database_url, 8, 'chaos');
  receiver = await startReceiver(({ path, headers }) => {
    const counts = deliveryCounts[Number(path.slice(1))];
    const id = headers['webhook-id'] ?? '';
    counts?.set(id, (counts.get(id) ?? 0) + 1);
  });
});
afterAll(async () => {
  receiver?.close();
  await sql?.end({ timeoutMs: 5_000 });
});

/** Commits an event to the outbox of a service, as the service's transactions do. Retries while the database is unavailable. */
async function commitEvent(number: number): Promise<string> {
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
        insert into ${identifier(service)}.outbox (event_id, project_id, resource_id, type, payload)
        values (${id}, ${running.stack.file.project_id}, ${resourceId}, ${type}, ${payload})
        on conflict do nothing`;
      return id;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await sleep(200);
    }
  }
}

async function commitAtRate(): Promise<string[]> {
  const startedAt = performance.now();
  const commits: Promise<string>[] = [];
  for (let number = 0; number < EVENTS; number++) {
    await sleep(Math.max(0, startedAt + (number * 1_000) / PER_SECOND - performance.now()));
    commits.push(commitEvent(number));
  }
  return Promise.all(commits);
}

function partsToKill(): readonly KillablePart[] {
  const first = ['nats', 'webhooks', 'claims', 'postgresql'] as const;
  const second = ['webhooks', 'benefits', 'nats', 'payments', 'postgresql'] as const;
  return [...first, ...second].map((name) => running.stack.part(name));
}

test(
  `${EVENTS} events reach ${ENDPOINTS} endpoints at least once, and nothing else does, while the parts that deliver them are killed in turn`,
  async () => {
    for (let n = 0; n < ENDPOINTS; n++) {
      await running.world.client.webhookEndpoints.create({
        url: `${receiver.url}${n}`,
        events: SOURCES.map(({ type }) => type),
      });
    }
    const startedAt = performance.now();
    const { result: ids, kills } = await whileKilling(partsToKill(), PACE, commitAtRate);
    const countMissing = () => {
      const missingIds = deliveryCounts.map((counts) => ids.filter((id) => !counts.has(id)).length);
      return missingIds.reduce((sum, count) => sum + count, 0);
    };
    const committedMs = performance.now() - startedAt;
    // Moves the clock past the end of the leases, so that the deliveries that a killed process had leased become due.
    if (MOVES_CLOCK) await running.moveClock(31_000);
    await eventually('every endpoint has every event', async () => countMissing() === 0, 300_000);
    const deliveredMs = performance.now() - startedAt;

    const committed = new Set(ids);
    for (const counts of deliveryCounts) for (const id of counts.keys()) expect(committed.has(id)).toBe(true);
    const received = deliveryCounts
      .flatMap((counts) => [...counts.values()])
      .reduce((sum, times) => sum + times, 0);
    await eventually('every delivery is recorded as delivered', async () => {
      const [row] = await sql<{ delivered: number; all: number }[]>`
        select count(*) filter (where status = 'delivered') as delivered, count(*) as all from webhooks.deliveries`;
      return row?.delivered === EVENTS * ENDPOINTS && row.all === EVENTS * ENDPOINTS;
    });
    const seconds = (ms: number) => (ms / 1_000).toFixed(1);
    process.stdout.write(
      `${EVENTS} events to ${ENDPOINTS} endpoints: ${received} received, ${received - EVENTS * ENDPOINTS} repeated; ` +
        `committed in ${seconds(committedMs)} s, all delivered after ${seconds(deliveredMs)} s; ` +
        `kills: ${[...kills].map(([name, times]) => `${name} ${times}`).join(', ')}\n`,
    );
  },
  testSize({ ci: 180_000, soak: 1_200_000 }),
);

import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@carecover/domain';
import { appendEvent, startRelay } from '@carecover/events';
import { connectPostgres, isDatabaseUnavailable, type Sql } from '@carecover/postgres';
import type { Stoppable } from '@carecover/process';
import { createLog } from '@carecover/telemetry';
import {
  createTestDatabase,
  eventually,
  startTestPostgres,
  type TestDatabase,
  type TestServer,
  testSize,
} from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { LEASE_MS, leaseDueDeliveries } from './store/due-deliveries';
import { type Receiver, startReceiver } from './testing/receiver';
import { startTestWebhooks, type TestWebhooks } from './testing/test-webhooks';

jest.setTimeout(testSize({ ci: 90_000, soak: 600_000 }));

const EVENTS = testSize({ ci: 200, soak: 5_000 });
const ENDPOINTS = testSize({ ci: 5, soak: 20 });

let postgres: TestServer & { readonly cluster: string };
let source: TestDatabase;
let sql: Sql;
let webhooks: TestWebhooks;
const receivers: Receiver[] = [];
let relay: Stoppable;

function newRelay(): Stoppable {
  const log = createLog('claims', 'silent');
  return startRelay({
    service: 'claims',
    databaseUrl: source.url('claims'),
    nats: webhooks.nats.access('claims'),
    log,
  });
}

beforeAll(async () => {
  postgres = await startTestPostgres();
  source = await createTestDatabase({ services: ['claims'], cluster: postgres.cluster });
  sql = connectPostgres(source.url('claims'), 4, 'claims');
  webhooks = await startTestWebhooks({ cluster: postgres.cluster });
  relay = newRelay();
});

afterAll(async () => {
  await relay?.stop();
  await webhooks?.stop();
  await sql?.end();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await postgres?.stop();
});

test('NATS, the relay, the service and PostgreSQL crash in turn: every committed event reaches every endpoint', async () => {
  const tenant = newTenant();
  for (let n = 0; n < ENDPOINTS; n++) {
    const receiver = await startReceiver();
    receivers.push(receiver);
    await webhooks.endpoint(tenant, receiver.url);
  }
  const committed: string[] = [];
  const disasters: Record<number, () => Promise<void>> = {
    [Math.floor(EVENTS * 0.2)]: () => webhooks.nats.kill(),
    [Math.floor(EVENTS * 0.35)]: () => webhooks.nats.restart(),
    [Math.floor(EVENTS * 0.5)]: async () => {
      await relay.stop();
      relay = newRelay();
    },
    [Math.floor(EVENTS * 0.65)]: async () => {
      await webhooks.halt();
      await webhooks.start();
    },
    [Math.floor(EVENTS * 0.8)]: async () => {
      await postgres.kill();
      await postgres.restart();
    },
  };
  const change: Promise<void>[] = [];
  for (let n = 0; n < EVENTS; n++) {
    const disaster = disasters[n];
    if (disaster !== undefined) change.push(disaster());
    const id = await sql
      .begin((tx) =>
        appendEvent(tx, {
          tenant,
          environment: 'sandbox',
          type: 'claim.submitted',
          resourceId: newId('clm_'),
          resourceVersion: 1,
          createdAt: new Date(),
          data: {},
        }),
      )
      .catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) return null;
        throw error;
      });
    if (id !== null) committed.push(id);
    await sleep(5);
  }
  await Promise.all(change);
  for (const receiver of receivers) {
    await eventually('a receiver has every event', async () => {
      const got = new Set(receiver.received.map(({ event }) => event.id as string));
      return committed.every((id) => got.has(id));
    });
  }
  // Every received event is an event of the project.
  const known = await webhooks.sql<{ id: string }[]>`select id from events where project_id = ${tenant}`;
  const ids = new Set(known.map(({ id }) => id));
  for (const receiver of receivers)
    for (const { event } of receiver.received) expect(ids.has(event.id)).toBe(true);
});

test('deliveries of a crashed process are sent after their lease', async () => {
  const tenant = newTenant();
  const receiver = await startReceiver();
  receivers.push(receiver);
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  await webhooks.halt();
  const eventId = newId('evt_');
  await webhooks.sql`
    insert into events (id, project_id, resource_id, type, payload, created_at)
    values (${eventId}, ${tenant}, 'clm_1', 'claim.submitted', ${JSON.stringify({ id: eventId })}, platform.now())`;
  await webhooks.sql`
    insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at)
    values (${eventId}, ${id}, ${tenant}, 'claim.submitted', platform.now(), platform.now())`;
  const capacity = {
    ...{ usedByEndpoint: new Map(), perEndpoint: 10, perFailingEndpoint: 2, free: 10 },
    ...{ usedByDestination: new Map(), perDestination: 16 },
  };
  const taken = await leaseDueDeliveries(webhooks.sql, { endpointIds: [id], destinations: [] }, capacity);
  expect(taken.deliveries).toHaveLength(1);
  expect((await leaseDueDeliveries(webhooks.sql, null, capacity)).deliveries).toHaveLength(0);
  await webhooks.database.setClockOffset(LEASE_MS + 1_000);
  await webhooks.start();
  await receiver.untilReceived(1);
  expect(receiver.received[0]?.event.id).toBe(eventId);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@carecover/domain';
import { connectPostgres } from '@carecover/postgres';
import { eventually, startTestPostgres, type TestServer, testSize } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { type Receiver, startReceiver } from './testing/receiver';
import { startTestWebhooks, type TestWebhooks } from './testing/test-webhooks';

/** Several pauses of the sweeps, so that one pass more or less changes the number per minute only little. */
const IDLE_MS = testSize({ ci: 40_000, soak: 120_000 });
/** Longer than an idle session of PostgreSQL waits before it adds its transactions to the statistics (10 s). */
const STATISTICS_DELAY_MS = 12_000;

let postgres: TestServer & { readonly cluster: string };
let webhooks: TestWebhooks;
let receiver: Receiver;

beforeAll(async () => {
  postgres = await startTestPostgres();
  webhooks = await startTestWebhooks({ cluster: postgres.cluster });
  // The transactions of autovacuum would be counted too.
  const admin = connectPostgres(webhooks.database.adminUrl, 1, 'test');
  await admin`alter system set autovacuum = off`;
  await admin`select pg_reload_conf()`;
  await admin.end();
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks?.stop();
  await receiver?.stop();
  await postgres?.stop();
});

test('a delivery whose notification was lost is attempted nevertheless, and an idle service sends few statements', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const eventId = newId('evt_');
  await webhooks.sql`
    insert into events (id, project_id, resource_id, type, payload, created_at)
    values (${eventId}, ${tenant}, 'clm_1', 'claim.settled', ${JSON.stringify({ id: eventId })}, platform.now())`;
  await webhooks.sql`
    insert into deliveries (id, endpoint_id, project_id, type, created_at, next_attempt_at)
    values (${eventId}, ${id}, ${tenant}, 'claim.settled', platform.now(), platform.now())`;
  await receiver.untilReceived(1);
  await eventually('the delivery is recorded', async () => {
    const [row] = await webhooks.sql`select 1 from deliveries where id = ${eventId} and status = 'delivered'`;
    return row !== undefined;
  });
  // After this time, the dispatcher has found that no delivery is pending, and PostgreSQL has counted the transactions of this test.
  await sleep(STATISTICS_DELAY_MS);

  const before = await webhooks.database.countTransactions();
  await sleep(IDLE_MS);
  const perMinute = ((await webhooks.database.countTransactions()) - before) * (60_000 / IDLE_MS);
  expect(perMinute).toBeLessThan(50);
});

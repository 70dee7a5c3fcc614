import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@carecover/domain';
import { eventually, testSize } from '@carecover/testing/servers';
import { countSentDuring, newTenant } from '@carecover/testing/services';
import { type Receiver, startReceiver } from './testing/receiver';
import { startTestWebhooks, type TestWebhooks } from './testing/test-webhooks';

/** Several pauses of the sweeps, so that one pass more or less changes the number per minute only little. */
const IDLE_MS = testSize({ ci: 30_000, soak: 120_000 });
/** Longer than the pause after which the dispatcher looks for pending deliveries again, and finds none. */
const LAST_TICK_MS = 2_000;

let webhooks: TestWebhooks;
let receiver: Receiver;

beforeAll(async () => {
  webhooks = await startTestWebhooks();
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks?.stop();
  await receiver?.stop();
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
  await sleep(LAST_TICK_MS);

  const perMinute = (await countSentDuring(() => sleep(IDLE_MS))) * (60_000 / IDLE_MS);
  expect(perMinute).toBeLessThan(50);
});

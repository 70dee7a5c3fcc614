import { eventually } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { respondWith, startReceiver } from '../testing/receiver';
import { startTestWebhooks, type TestWebhooks } from '../testing/test-webhooks';

let webhooks: TestWebhooks;

beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks?.stop());

test('a retry is on time while another endpoint gets events without a pause', async () => {
  const tenant = newTenant();
  const [busy, failing] = await Promise.all([startReceiver(), startReceiver()]);
  await webhooks.endpoint(tenant, busy.url, ['claim.settled']);
  await webhooks.endpoint(tenant, failing.url, ['claim.submitted']);
  failing.behave(respondWith(500));
  const id = await webhooks.emit(tenant);
  await eventually(
    'the record of the first attempt',
    async () => (await webhooks.sql`select from attempts where event_id = ${id}`).length === 1,
  );
  await webhooks.database.setClockOffset(60_000);
  // Events are published at shorter intervals than the ticks of the dispatcher.
  let emitted = 0;
  await eventually('the retry comes', async () => {
    await webhooks.emit(tenant, { type: 'claim.settled' });
    emitted += 1;
    return failing.received.length >= 2;
  });
  expect(failing.received.map(({ event }) => event.id)).toEqual([id, id]);
  await busy.untilReceived(emitted);
  await Promise.all([busy.stop(), failing.stop()]);
});

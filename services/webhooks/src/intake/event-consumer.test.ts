import { createHash } from 'node:crypto';
import { eventually } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { type Receiver, startReceiver } from '../testing/receiver';
import { startTestWebhooks, type TestWebhooks } from '../testing/test-webhooks';

let webhooks: TestWebhooks;
let receiver: Receiver;

beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());
afterAll(() => webhooks?.stop());

function deadLettered(data: string) {
  const digest = createHash('sha256').update('carecover.events.test\0').update(data).digest();
  return eventually('the message is dead-lettered', async () => {
    const [row] = await webhooks.sql<{ reason: string; data: Buffer }[]>`
      select reason, data from dead_lettered_messages where digest = ${digest}`;
    return row;
  });
}

test.each([
  ['that is not JSON', '{"project_id":', 'the message is not JSON'],
  [
    'of an unknown type',
    '{"project_id":"prj_1","resource_id":"clm_1","payload":"{\\"id\\":\\"evt_1\\",\\"type\\":\\"claim.exploded\\"}"}',
    'type is not a known event type',
  ],
])(
  'a message %s is dead-lettered with its bytes and its reason, and blocks nothing',
  async (_name, data, reason) => {
    const tenant = newTenant();
    await webhooks.endpoint(tenant, receiver.url);
    const before = await webhooks.emit(tenant);
    await webhooks.publish(data);
    const after = await webhooks.emit(tenant);
    const row = await deadLettered(data);
    expect(row.reason).toBe(reason);
    expect(row.data.toString()).toBe(data);
    await receiver.untilReceived(2);
    expect(new Set(receiver.received.map(({ event }) => event.id))).toEqual(new Set([before, after]));
  },
);

test('a message that the database rejects is dead-lettered, and the others of its batch are stored', async () => {
  const tenant = newTenant();
  await webhooks.endpoint(tenant, receiver.url);
  await webhooks.sql`select 1`;
  // A message that can be parsed, but whose event PostgreSQL rejects.
  const poison = JSON.stringify({
    project_id: tenant,
    resource_id: 'clm_1',
    payload: `{"id":"evt_${'9'.repeat(20)}","type":"claim.submitted","created_at":"0001-01-01T00:00:00.000+14:00"}`,
  });
  const ids = await Promise.all(Array.from({ length: 20 }, () => webhooks.emit(tenant)));
  await webhooks.publish(poison);
  ids.push(...(await Promise.all(Array.from({ length: 20 }, () => webhooks.emit(tenant)))));
  await deadLettered(poison);
  await receiver.untilReceived(40);
  expect(new Set(receiver.received.map(({ event }) => event.id))).toEqual(new Set(ids));
});

test('a repeated invalid message is dead-lettered once', async () => {
  await webhooks.publish('a repeated message');
  await webhooks.publish('a repeated message');
  await deadLettered('a repeated message');
  const tenant = newTenant();
  await webhooks.endpoint(tenant, receiver.url);
  await webhooks.emit(tenant);
  await receiver.untilReceived(1);
  const rows =
    await webhooks.sql`select 1 from dead_lettered_messages where data = 'a repeated message'::bytea`;
  expect(rows).toHaveLength(1);
});

test('an event that arrives while its endpoint is disabled leaves no pending delivery', async () => {
  const tenant = newTenant();
  for (let round = 0; round < 10; round++) {
    const { id } = await webhooks.endpoint(tenant, receiver.url);
    const emitting = Promise.all(Array.from({ length: 5 }, () => webhooks.emit(tenant)));
    await webhooks.request(tenant, 'disableWebhookEndpoint', { params: { webhook_endpoint_id: id } });
    await emitting;
  }
  await eventually(
    'every event is listed',
    async () =>
      (await webhooks.request(tenant, 'listEvents', { query: { limit: '100' } })).body.data.length === 50,
  );
  // A sweep fails the deliveries that ended. A pending delivery of a disabled endpoint that did not end would stay.
  await eventually('no pending delivery of a disabled endpoint', async () => {
    const pending = await webhooks.sql`
      select 1 from deliveries d join endpoints e on e.id = d.endpoint_id
      where d.status = 'pending' and e.status = 'disabled'`;
    return pending.length === 0;
  });
});

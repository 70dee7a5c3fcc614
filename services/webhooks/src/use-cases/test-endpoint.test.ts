import type { Tenant } from '@carecover/domain';
import { jsonb } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import { newTenant, testCaller } from '@carecover/testing/services';
import { type Receiver, respondWith, startReceiver, verify } from '../testing/receiver';
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

const at = (id: string) => ({ webhook_endpoint_id: id });

/**
 * Makes the command of a test event pending and `interval` old, as if the process that executed it had stopped. Its lease ends 15 seconds
 * after its start.
 */
async function abandon(tenant: Tenant, eventId: string, endpointId: string, interval: string): Promise<void> {
  await webhooks.sql`
    with command as (
      update commands set response_status = null, response = null where resource_id = ${eventId} returning id)
    insert into pending_commands (id, workflow_id, caller, body, created_at, leased_until)
    select id, ${eventId}, ${jsonb(testCaller(tenant))}, ${jsonb(at(endpointId))}, platform.now() - ${interval}::interval,
      clock_timestamp() - ${interval}::interval + interval '15 seconds'
    from command`;
}

test('an accepted test event is 200 with its delivery, also without a subscription', async () => {
  const tenant = newTenant();
  const { id, secret } = await webhooks.endpoint(tenant, receiver.url, ['claim.settled']);
  const { status, body } = await webhooks.request(tenant, 'testWebhookEndpoint', {
    params: at(id),
    key: null,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: 'webhook_delivery',
    delivered: true,
    attempts: 1,
    response_status: 204,
  });
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing was received');
  verify(secret, received);
  expect(received.event).toMatchObject({
    id: body.id,
    type: 'sandbox.ping',
    data: { message: 'pong' },
    livemode: false,
  });
  const event = await webhooks.request(tenant, 'getEvent', { params: { event_id: body.id } });
  expect(event.body).toEqual(received.event);
  const deliveries = await webhooks.request(tenant, 'listWebhookDeliveries', { params: at(id) });
  expect(deliveries.body.data).toMatchObject([
    { id: body.id, status: 'delivered', history: [{ response_status: 204 }] },
  ]);
});

test('a test without an accepted attempt is 502 with the delivery after three attempts', async () => {
  const tenant = newTenant();
  receiver.behave(respondWith(503, 'later'));
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const { status, body } = await webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id) });
  expect(status).toBe(502);
  expect(body).toMatchObject({ delivered: false, attempts: 3, response_status: 503 });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([body.id]));
});

test('a test ends with the first accepted attempt', async () => {
  const tenant = newTenant();
  receiver.behave((response) => response.writeHead(receiver.received.length < 3 ? 500 : 200).end());
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const { status, body } = await webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id) });
  expect(status).toBe(200);
  expect(body).toMatchObject({ delivered: true, attempts: 3 });
});

test('a test waits for a Retry-After that fits into its ten seconds, and ends at a longer one', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const ask = () => webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id), key: null });
  receiver.behave((response) => {
    const isFirst = receiver.received.length === 1;
    response.writeHead(isFirst ? 429 : 204, { 'retry-after': '2' }).end();
  });
  expect(await ask()).toMatchObject({ status: 200, body: { delivered: true, attempts: 2 } });
  const [first, second] = receiver.received;
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(2_000);
  for (const value of ['8', '3600', '9'.repeat(400)]) {
    receiver.behave(respondWith(503, '', { 'retry-after': value }));
    expect(await ask()).toMatchObject({ status: 502, body: { attempts: 1, response_status: 503 } });
  }
});

test('a test without a response ends within ten seconds, without a status', async () => {
  const tenant = newTenant();
  receiver.behave(() => undefined);
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const { status, body } = await webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id) });
  expect(status).toBe(502);
  expect(body).toMatchObject({ delivered: false, attempts: 3, response_status: null });
});

test('a test under one key is sent once and replayed, and sent again after a failure', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const ask = () => webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id), key: 'one test' });
  receiver.behave(respondWith(500));
  expect((await ask()).status).toBe(502);
  receiver.behave(respondWith(200));
  const accepted = await ask();
  expect(accepted).toMatchObject({ status: 200, replayed: false });
  const before = receiver.received.length;
  expect(await ask()).toMatchObject({ status: 200, replayed: true, body: accepted.body });
  expect(receiver.received).toHaveLength(before);
});

test('two concurrent tests under one key send one event once and return the same response', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const ask = () => webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id), key: 'at once' });
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(first.body).toEqual(second.body);
  const events = await webhooks.request(tenant, 'listEvents');
  expect(events.body.data).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
});

test('a retry after a crash sends the same event', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const ask = () => webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id), key: 'interrupted' });
  const { body } = await ask();
  // Makes the command older than a test can take, and not old enough for the sweep.
  await abandon(tenant, body.id, id, '13 seconds');
  expect(await ask()).toMatchObject({ status: 200, body: { id: body.id, attempts: 2 } });
  expect(receiver.received.map(({ event }) => event.id)).toEqual([body.id, body.id]);
});

test('the sweep executes an abandoned test with the same event, and a retry gets its response', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const ask = () => webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id), key: 'abandoned' });
  const { body } = await ask();
  await abandon(tenant, body.id, id, '1 minute');
  await receiver.untilReceived(2);
  const answered = () => webhooks.sql`
    select 1 from commands where resource_id = ${body.id} and response is not null`;
  await eventually('it is answered', async () => (await answered()).length === 1);
  expect(await ask()).toMatchObject({ status: 200, replayed: true, body: { id: body.id, attempts: 2 } });
  expect(receiver.received.map(({ event }) => event.id)).toEqual([body.id, body.id]);
});

test('the sweep deletes a test whose endpoint was disabled, and keeps no row about it', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const { body } = await webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id), key: 'disabled' });
  await webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(id) });
  await abandon(tenant, body.id, id, '1 minute');
  const left = () => webhooks.sql`select 1 from commands where resource_id = ${body.id}`;
  await eventually('it is deleted', async () => (await left()).length === 0);
  expect(receiver.received).toHaveLength(1);
  // No operator lists the rejected commands of webhooks, so none is kept.
  expect(await webhooks.sql`select 1 from rejected_commands`).toHaveLength(0);
});

test('production has no test operation', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const answer = await webhooks.request(tenant, 'testWebhookEndpoint', {
    params: at(id),
    environment: 'production',
  });
  expect(answer.code).toBe('resource_not_found');
  expect(receiver.received).toHaveLength(0);
});

test('a test event is sent only to its endpoint, and a 410 does not disable it', async () => {
  const tenant = newTenant();
  const other = await startReceiver();
  await webhooks.endpoint(tenant, other.url, ['sandbox.ping']);
  receiver.behave(respondWith(410));
  const { id } = await webhooks.endpoint(tenant, receiver.url, ['sandbox.ping']);
  expect((await webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id) })).status).toBe(502);
  const endpoint = await webhooks.request(tenant, 'getWebhookEndpoint', { params: at(id) });
  expect(endpoint.body.status).toBe('active');
  expect(other.received).toHaveLength(0);
  await other.stop();
});

test('a test event is signed by the secrets that can be decrypted', async () => {
  const tenant = newTenant();
  const { id, secret } = await webhooks.endpoint(tenant, receiver.url);
  await webhooks.sql`
    insert into signing_secrets (endpoint_id, key_id, ciphertext, expires_at)
    values (${id}, 'lost', 'x', platform.now() + interval '1 hour')`;
  const { status } = await webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id) });
  expect(status).toBe(200);
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing was received');
  verify(secret, received);
});

import { eventually } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { at, deliverySuite, hasAttempts, isSettled } from '../testing/delivery-suite';
import { respondWith, startReceiver } from '../testing/receiver';
import { CAPACITY_LIMITS } from './capacity';

const DAY_MS = 24 * 3_600_000;

const suite = deliverySuite();

test('a 410 disables the endpoint immediately, and its pending deliveries fail', async () => {
  const tenant = newTenant();
  suite.receiver.behave(respondWith(500));
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const waiting = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, waiting, hasAttempts(1));
  suite.receiver.behave(respondWith(410));
  const gone = await suite.webhooks.emit(tenant);
  expect(await suite.deliveryWhen(tenant, id, gone, isSettled)).toMatchObject({
    status: 'failed',
    response_status: 410,
  });
  expect(await suite.endpoint(tenant, id)).toMatchObject({ status: 'disabled' });
  expect(await suite.deliveryWhen(tenant, id, waiting, isSettled)).toMatchObject({
    status: 'failed',
    attempts: 1,
  });
  const before = suite.receiver.received.length;
  await suite.webhooks.emit(tenant);
  await suite.moveClock(6_000);
  const probe = newTenant();
  const other = await startReceiver();
  const active = await suite.webhooks.endpoint(probe, other.url);
  await suite.deliveryWhen(probe, active.id, await suite.webhooks.emit(probe), isSettled);
  expect(suite.receiver.received).toHaveLength(before);
  await other.stop();
});

test('an endpoint is disabled after five days of failures only; one success keeps it active', async () => {
  const tenant = newTenant();
  const helped = newTenant();
  const other = await startReceiver();
  suite.receiver.behave(respondWith(500));
  other.behave(respondWith(500));
  const failing = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const spared = await suite.webhooks.endpoint(helped, other.url);
  for (let day = 0; day <= 5; day++) {
    other.behave(respondWith(day === 3 ? 200 : 500));
    const kept = await suite.webhooks.emit(helped);
    await suite.deliveryWhen(helped, spared.id, kept, ({ attempts }) => attempts > 0);
    const lost = await suite.webhooks.emit(tenant);
    if (day < 5) {
      await suite.deliveryWhen(tenant, failing.id, lost, ({ attempts }) => attempts > 0);
      expect((await suite.endpoint(tenant, failing.id)).status).toBe('active');
    } else {
      // Waits, because a retry of an earlier event can be the attempt that disables the endpoint.
      await eventually(
        'it is disabled',
        async () => (await suite.endpoint(tenant, failing.id)).status === 'disabled',
      );
    }
    await suite.moveClock(DAY_MS + 1_000);
  }
  expect((await suite.endpoint(helped, spared.id)).status).toBe('active');
  const [row] = await suite.webhooks.sql`select disabled_reason from endpoints where id = ${failing.id}`;
  expect(row?.disabled_reason).toBe('failing');
  const opened = await suite.webhooks.request(tenant, 'updateWebhookEndpoint', {
    params: at(failing.id),
    body: { status: 'active' },
  });
  expect(opened.body.status).toBe('active');
  suite.receiver.behave(respondWith(500));
  const again = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, failing.id, again, ({ attempts }) => attempts > 0);
  expect((await suite.endpoint(tenant, failing.id)).status).toBe('active');
  await other.stop();
});

test('a recovery sends failed events and events that arrived while the endpoint was disabled', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const since = new Date(suite.nowMs() - 60_000).toISOString();
  const received = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, received, isSettled);
  suite.receiver.behave(respondWith(500));
  const failing = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, failing, hasAttempts(1));
  await suite.webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(id) });
  const unheard = await suite.webhooks.emit(tenant);
  await suite.webhooks.emit(tenant, { type: 'claim.denied' });
  await suite.webhooks.emit(tenant, { createdAt: new Date(suite.nowMs() - 120_000) });
  await eventually(
    'all are listed',
    async () => (await suite.webhooks.request(tenant, 'listEvents')).body.data.length === 5,
  );
  suite.receiver.behave(respondWith(200));
  await suite.webhooks.request(tenant, 'updateWebhookEndpoint', {
    params: at(id),
    body: { status: 'active' },
  });
  const body = { since, until: new Date(suite.nowMs() + 60_000).toISOString() };
  const recover = () =>
    suite.webhooks.request(tenant, 'recoverWebhookEndpoint', { params: at(id), body, key: 'recover once' });
  expect(await recover()).toMatchObject({ status: 202, body: { object: 'webhook_recovery', count: 2 } });
  for (const eventId of [failing, unheard]) {
    expect(await suite.deliveryWhen(tenant, id, eventId, isSettled)).toMatchObject({ delivered: true });
  }
  expect(await recover()).toMatchObject({ status: 202, replayed: true, body: { count: 2 } });
  const counts = suite.receiver.received.map(({ event }) => event.id);
  expect(counts.filter((eventId) => eventId === received)).toHaveLength(1);
});

test('a recovery repeats waiting retries now, and does not change deliveries without an attempt', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  suite.receiver.behave(respondWith(500));
  const eventId = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, eventId, hasAttempts(1));
  suite.receiver.behave(respondWith(200));
  const body = {
    since: new Date(suite.nowMs() - 60_000).toISOString(),
    until: new Date(suite.nowMs() + 60_000).toISOString(),
  };
  const recovered = await suite.webhooks.request(tenant, 'recoverWebhookEndpoint', { params: at(id), body });
  expect(recovered.body.count).toBe(1);
  expect(await suite.deliveryWhen(tenant, id, eventId, isSettled)).toMatchObject({
    delivered: true,
    attempts: 2,
  });
});

test('nothing is sent to a disabled endpoint, also not deliveries in memory', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  // The receiver first responds quickly, so that deliveries are leased in advance, and then gives no response.
  const first = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, first, isSettled);
  const letGo = suite.receiver.hold();
  await Promise.all(Array.from({ length: 40 }, () => suite.webhooks.emit(tenant)));
  // A slow endpoint, such as one without a recent attempt, can use half of its destination's slots.
  await suite.receiver.untilReceived(1 + CAPACITY_LIMITS.perDestination / 2);
  await eventually(
    'every delivery is stored',
    async () => (await suite.deliveries(tenant, id, { limit: '100' })).length === 41,
  );
  await suite.webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(id) });
  letGo();
  await eventually('every delivery has ended', async () => {
    const failed = await suite.deliveries(tenant, id, { status: 'failed', limit: '100' });
    const delivered = await suite.deliveries(tenant, id, { status: 'delivered', limit: '100' });
    return failed.length + delivered.length === 41 && delivered.length === suite.receiver.received.length;
  });
  expect(suite.receiver.received.length).toBeLessThan(41);
});

test('an event type that was unsubscribed is not attempted again', async () => {
  const tenant = newTenant();
  suite.receiver.behave(respondWith(500));
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const eventId = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, eventId, hasAttempts(1));
  await suite.webhooks.request(tenant, 'updateWebhookEndpoint', {
    params: at(id),
    body: { events: ['claim.settled'] },
  });
  expect(await suite.deliveryWhen(tenant, id, eventId, isSettled)).toMatchObject({
    status: 'failed',
    attempts: 1,
  });
});

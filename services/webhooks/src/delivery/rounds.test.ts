import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';
import { newTenant } from '@carecover/platform/testing';
import { at, deliverySuite, hasAttempts, isSettled } from '../testing/delivery-suite';
import { respondWith } from '../testing/receiver';

const suite = deliverySuite();

test('a failing receiver gets eight attempts over twenty-seven hours; then the delivery is failed', async () => {
  const tenant = newTenant();
  suite.receiver.behave(respondWith(500, 'not today'));
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const eventId = await suite.webhooks.emit(tenant);
  const started = suite.nowMs();
  for (let made = 1; made < WEBHOOK_SCHEDULE_MS.length; made++) {
    const { next_attempt_at, history } = await suite.deliveryWhen(
      tenant,
      id,
      eventId,
      ({ attempts }) => attempts === made,
    );
    const last = history.at(-1);
    const pauseMs = Date.parse(next_attempt_at ?? '') - Date.parse(last?.at ?? '');
    const scheduledMs = WEBHOOK_SCHEDULE_MS[made] ?? Number.NaN;
    // The delay starts at the end of the attempt, which is between the recorded start of the attempt and now.
    expect(pauseMs).toBeGreaterThanOrEqual(scheduledMs);
    expect(Date.parse(next_attempt_at ?? '') - suite.nowMs()).toBeLessThanOrEqual(scheduledMs);
    expect(suite.receiver.received).toHaveLength(made);
    await suite.moveClock(pauseMs);
  }
  const delivery = await suite.deliveryWhen(tenant, id, eventId, isSettled);
  expect(delivery).toMatchObject({ status: 'failed', delivered: false, attempts: 8, next_attempt_at: null });
  expect(delivery.history).toHaveLength(8);
  expect(delivery.history[7]).toMatchObject({
    response_status: 500,
    error: 'The receiver responded with 500.',
    response_excerpt: 'not today',
  });
  const hours = (suite.nowMs() - started) / 3_600_000;
  expect(Math.round(hours)).toBe(28);
  expect((await suite.endpoint(tenant, id)).status).toBe('active');

  const redelivered = await (async () => {
    suite.receiver.behave(respondWith(200));
    const params = { ...at(id), event_id: eventId };
    return suite.webhooks.request(tenant, 'redeliverEvent', { params, key: 'again' });
  })();
  expect(redelivered).toMatchObject({ status: 202, body: { id: eventId, delivered: false, attempts: 8 } });
  expect(await suite.deliveryWhen(tenant, id, eventId, isSettled)).toMatchObject({
    delivered: true,
    attempts: 9,
  });
  const replay = await suite.webhooks.request(tenant, 'redeliverEvent', {
    params: { ...at(id), event_id: eventId },
    key: 'again',
  });
  expect(replay).toMatchObject({ status: 202, replayed: true, body: redelivered.body });
});

test('a redelivery starts a full new round', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const eventId = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, eventId, isSettled);
  suite.receiver.behave(respondWith(500));
  await suite.webhooks.request(tenant, 'redeliverEvent', { params: { ...at(id), event_id: eventId } });
  const failedOnce = await suite.deliveryWhen(tenant, id, eventId, hasAttempts(2));
  expect(failedOnce).toMatchObject({ status: 'pending', delivered: false });
  suite.receiver.behave(respondWith(200));
  await suite.moveClock(6_000);
  expect(await suite.deliveryWhen(tenant, id, eventId, isSettled)).toMatchObject({
    delivered: true,
    attempts: 3,
  });
});

test('a redelivery during an attempt leads to a further attempt, with any outcome of the first', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const letGo = suite.receiver.hold();
  const eventId = await suite.webhooks.emit(tenant);
  await suite.receiver.untilReceived(1);
  await suite.webhooks.request(tenant, 'redeliverEvent', { params: { ...at(id), event_id: eventId } });
  letGo();
  await suite.receiver.untilReceived(2);
  expect(await suite.deliveryWhen(tenant, id, eventId, hasAttempts(2))).toMatchObject({
    delivered: true,
  });
});

test('redelivery of an unknown delivery is 404, and of a disabled endpoint 409', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const eventId = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, eventId, isSettled);
  const redeliver = (event_id: string) =>
    suite.webhooks.request(tenant, 'redeliverEvent', { params: { ...at(id), event_id } });
  expect((await redeliver('evt_unknown')).code).toBe('resource_not_found');
  await suite.webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(id) });
  expect((await redeliver(eventId)).code).toBe('endpoint_disabled');
});

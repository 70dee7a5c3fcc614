import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';
import { newTenant } from '@carecover/testing/services';
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

describe('a receiver that requests a delay by Retry-After', () => {
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;

  /** Sends one event to the receiver. Returns the delivery after its first attempt, and the delay before the next one. */
  async function attemptOnce() {
    const tenant = newTenant();
    const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
    const eventId = await suite.webhooks.emit(tenant);
    const delivery = await suite.deliveryWhen(tenant, id, eventId, hasAttempts(1));
    const delayMs = Date.parse(delivery.next_attempt_at ?? '') - Date.parse(delivery.history[0]?.at ?? '');
    return { tenant, id, eventId, delayMs };
  }

  test('gets no attempt earlier, and the attempt soon afterwards', async () => {
    suite.receiver.behave(respondWith(429, '', { 'retry-after': '60' }));
    const { tenant, id, eventId, delayMs } = await attemptOnce();
    expect(delayMs).toBeGreaterThanOrEqual(MINUTE_MS);
    // The delay, a twentieth of jitter, and the duration of the attempt.
    expect(delayMs).toBeLessThan(1.1 * MINUTE_MS);
    suite.receiver.behave(respondWith(204));
    await suite.moveClock(MINUTE_MS / 2);
    const other = await suite.webhooks.emit(tenant);
    await suite.deliveryWhen(tenant, id, other, isSettled);
    expect((await suite.deliveries(tenant, id)).find((each) => each.id === eventId)?.attempts).toBe(1);
    await suite.moveClock(MINUTE_MS / 2 + MINUTE_MS / 10);
    const delivered = await suite.deliveryWhen(tenant, id, eventId, isSettled);
    expect(delivered).toMatchObject({ delivered: true, attempts: 2 });
  });

  test('by an HTTP date gets the delay on its own clock', async () => {
    suite.receiver.behave(
      respondWith(503, '', {
        date: 'Thu, 01 Jan 1970 00:00:00 GMT',
        'retry-after': 'Thu, 01 Jan 1970 00:05:00 GMT',
      }),
    );
    const { delayMs } = await attemptOnce();
    expect(delayMs).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    expect(delayMs).toBeLessThan(6 * MINUTE_MS);
  });

  test('of a century gets the longest delay of the schedule, and a redelivery at once', async () => {
    suite.receiver.behave(respondWith(503, '', { 'retry-after': '9'.repeat(400) }));
    const { tenant, id, eventId, delayMs } = await attemptOnce();
    expect(delayMs).toBeGreaterThanOrEqual(10 * HOUR_MS);
    expect(delayMs).toBeLessThan(11 * HOUR_MS);
    suite.receiver.behave(respondWith(204));
    await suite.webhooks.request(tenant, 'redeliverEvent', { params: { ...at(id), event_id: eventId } });
    expect(await suite.deliveryWhen(tenant, id, eventId, isSettled)).toMatchObject({
      delivered: true,
      attempts: 2,
    });
  });

  test('gets no more attempts than any other', async () => {
    suite.receiver.behave(respondWith(429, '', { 'retry-after': '36000' }));
    const { tenant, id, eventId } = await attemptOnce();
    for (let made = 1; made < WEBHOOK_SCHEDULE_MS.length; made++) {
      await suite.deliveryWhen(tenant, id, eventId, hasAttempts(made));
      await suite.moveClock(11 * HOUR_MS);
    }
    const failed = await suite.deliveryWhen(tenant, id, eventId, isSettled);
    expect(failed).toMatchObject({ status: 'failed', attempts: WEBHOOK_SCHEDULE_MS.length });
    expect((await suite.endpoint(tenant, id)).status).toBe('active');
  });
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

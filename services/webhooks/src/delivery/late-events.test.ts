import { newId } from '@carecover/domain';
import { newTenant } from '@carecover/testing/services';
import { at, deliverySuite, isSettled } from '../testing/delivery-suite';
import { startReceiver } from '../testing/receiver';

const suite = deliverySuite();
const HOUR_MS = 3_600_000;

/** Publishes an event that is an hour old and a new one, and waits until the new one is delivered; then both are stored. */
async function emitLateAndNow(tenant: ReturnType<typeof newTenant>, endpointId: string) {
  const late = await suite.webhooks.emit(tenant, { createdAt: new Date(suite.nowMs() - HOUR_MS) });
  const now = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, endpointId, now, isSettled);
  return { late, now };
}

/** Creates an endpoint that is disabled and enabled again two hours later. Returns its ID, and a function that changes it. */
async function enabledAgain(tenant: ReturnType<typeof newTenant>) {
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const change = (body: object) =>
    suite.webhooks.request(tenant, 'updateWebhookEndpoint', { params: at(id), body });
  await suite.moveClock(2 * HOUR_MS);
  await change({ status: 'disabled' });
  await change({ status: 'active' });
  return { id, change };
}

const received = () => suite.receiver.received.map(({ event }) => event.id);

test('a late event is sent to endpoints that were subscribed at its time, not to later ones', async () => {
  const tenant = newTenant();
  const older = await startReceiver();
  await suite.webhooks.endpoint(tenant, older.url);
  await suite.moveClock(2 * HOUR_MS);
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const { late, now } = await emitLateAndNow(tenant, id);
  await older.untilReceived(2);
  expect(new Set(older.received.map(({ event }) => event.id))).toEqual(new Set([late, now]));
  expect(received()).toEqual([now]);
  await older.stop();
});

test('an endpoint that was enabled or subscribed later does not get earlier events, but can recover them', async () => {
  const tenant = newTenant();
  const { id, change } = await enabledAgain(tenant);
  const opened = await emitLateAndNow(tenant, id);
  expect(received()).toEqual([opened.now]);
  await suite.moveClock(2 * HOUR_MS);
  await change({ events: ['claim.settled'] });
  await change({ events: ['claim.settled', 'claim.submitted'] });
  const subscribed = await emitLateAndNow(tenant, id);
  expect(received()).toEqual([opened.now, subscribed.now]);
  const span = {
    since: new Date(suite.nowMs() - 5 * HOUR_MS).toISOString(),
    until: new Date(suite.nowMs() + HOUR_MS).toISOString(),
  };
  const recovered = await suite.webhooks.request(tenant, 'recoverWebhookEndpoint', {
    params: at(id),
    body: span,
  });
  expect(recovered.body.count).toBe(2);
  for (const late of [opened.late, subscribed.late]) await suite.deliveryWhen(tenant, id, late, isSettled);
});

test('an event that arrives after a recovery of its period is delivered', async () => {
  const tenant = newTenant();
  const { id } = await enabledAgain(tenant);
  const span = {
    since: new Date(suite.nowMs() - 1.5 * HOUR_MS).toISOString(),
    until: new Date(suite.nowMs() + 1_000).toISOString(),
  };
  await suite.webhooks.request(tenant, 'recoverWebhookEndpoint', { params: at(id), body: span });
  const { late, now } = await emitLateAndNow(tenant, id);
  await suite.deliveryWhen(tenant, id, late, isSettled);
  expect(new Set(received())).toEqual(new Set([late, now]));
  const earlier = await suite.webhooks.emit(tenant, { createdAt: new Date(suite.nowMs() - 1.7 * HOUR_MS) });
  await emitLateAndNow(tenant, id);
  expect(received()).not.toContain(earlier);
});

test('after the clock was set back, an endpoint receives the events that follow', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  await suite.moveClock(-HOUR_MS);
  const event = await suite.webhooks.emit(tenant, { createdAt: new Date(suite.nowMs()) });
  await suite.deliveryWhen(tenant, id, event, isSettled);
  expect(received()).toEqual([event]);
});

test('a change of other event types does not affect late events', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url, ['claim.submitted']);
  await suite.moveClock(2 * HOUR_MS);
  const events = ['claim.settled', 'claim.submitted'];
  await suite.webhooks.request(tenant, 'updateWebhookEndpoint', { params: at(id), body: { events } });
  const settledLate = await suite.webhooks.emit(tenant, {
    id: newId('evt_'),
    type: 'claim.settled',
    createdAt: new Date(suite.nowMs() - HOUR_MS),
  });
  const { late, now } = await emitLateAndNow(tenant, id);
  await suite.deliveryWhen(tenant, id, late, isSettled);
  expect(new Set(received())).toEqual(new Set([late, now]));
  expect(received()).not.toContain(settledLate);
});

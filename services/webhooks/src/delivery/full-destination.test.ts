import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '@carecover/domain';
import { eventually } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { at, deliverySuite, isSettled } from '../testing/delivery-suite';
import { respondWith, startReceiver } from '../testing/receiver';
import { CAPACITY_LIMITS } from './capacity';

/** The maximum number of deliveries in memory, lower than in production, so that a test exceeds it with few deliveries. */
const IN_MEMORY = 200;
const suite = deliverySuite({ inMemory: IN_MEMORY });

async function endpoints(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push((await suite.webhooks.endpoint(tenant, `${suite.receiver.url}/${n}`)).id);
  }
  return ids;
}

/** Waits for several ticks of the dispatcher, in which the dispatcher would exceed its limits if the limits had no effect. */
const someLooks = () => sleep(300);

test('all projects together have at most sixteen concurrent attempts to one destination, and none is lost or repeated', async () => {
  const [first, second] = [newTenant(), newTenant()];
  const letGo = suite.receiver.hold();
  const owned = [
    { tenant: first, ids: await endpoints(first, 30) },
    { tenant: second, ids: await endpoints(second, 5) },
  ];
  const events = await Promise.all(owned.map(({ tenant }) => suite.webhooks.emit(tenant)));
  await suite.receiver.untilReceived(CAPACITY_LIMITS.perDestination);
  await someLooks();
  expect(suite.receiver.received).toHaveLength(CAPACITY_LIMITS.perDestination);
  letGo();
  await suite.receiver.untilReceived(35);
  for (const [n, { tenant, ids }] of owned.entries()) {
    for (const id of ids) {
      expect(await suite.deliveryWhen(tenant, id, events[n] ?? '', isSettled)).toMatchObject({
        delivered: true,
        attempts: 1,
      });
    }
  }
  expect(suite.receiver.received).toHaveLength(35);
});

test('an endpoint that never responds leaves slots of its destination to a working one', async () => {
  const [unresponsive, other] = [newTenant(), newTenant()];
  await suite.webhooks.endpoint(unresponsive, `${suite.receiver.url}/dead`);
  await suite.webhooks.endpoint(unresponsive, `${suite.receiver.url}/slow`);
  await suite.webhooks.endpoint(other, `${suite.receiver.url}/working`);
  const heldBack: ServerResponse[] = [];
  suite.receiver.behave((response, _, { url }) => {
    if (url?.endsWith('/working')) response.writeHead(204).end();
    else heldBack.push(response);
  });
  for (let n = 0; n < 40; n++) await suite.webhooks.emit(unresponsive);
  await eventually(
    'they hold half of the slots',
    async () => heldBack.length >= CAPACITY_LIMITS.perDestination / 2,
  );
  const ids = await Promise.all(Array.from({ length: 40 }, () => suite.webhooks.emit(other)));
  await eventually('the working one has everything', async () =>
    ids.every((id) => suite.receiver.received.some(({ event }) => event.id === id)),
  );
  expect(heldBack.length).toBeLessThan(CAPACITY_LIMITS.perDestination);
  suite.receiver.behave(respondWith(204));
  for (const response of heldBack) response.writeHead(204).end();
});

test('a full destination delays no other destination', async () => {
  const [crowding, other] = [newTenant(), newTenant()];
  const letGo = suite.receiver.hold();
  const [crowdingEndpoints, eachHas] = [50, IN_MEMORY / 50 + 1];
  await endpoints(crowding, crowdingEndpoints);
  const healthy = await startReceiver();
  await suite.webhooks.endpoint(other, healthy.url);
  // Creates more deliveries than one process holds in memory.
  for (let n = 0; n < eachHas; n++) await suite.webhooks.emit(crowding);
  await suite.receiver.untilReceived(CAPACITY_LIMITS.perDestination);
  const ids = await Promise.all(Array.from({ length: 60 }, () => suite.webhooks.emit(other)));
  await healthy.untilReceived(60);
  expect(new Set(healthy.received.map(({ event }) => event.id))).toEqual(new Set(ids));
  expect(suite.receiver.received).toHaveLength(CAPACITY_LIMITS.perDestination);
  letGo();
  await eventually(
    'everything has come',
    async () => suite.receiver.received.length === crowdingEndpoints * eachHas,
  );
  await healthy.stop();
});

test('waiting for a slot is not an attempt, and projects take turns', async () => {
  const [crowding, other] = [newTenant(), newTenant()];
  const letGo = suite.receiver.hold();
  await endpoints(crowding, 40);
  const [late = ''] = await endpoints(other, 1);
  for (let n = 0; n < 5; n++) await suite.webhooks.emit(crowding);
  await suite.receiver.untilReceived(CAPACITY_LIMITS.perDestination);
  const eventId = await suite.webhooks.emit(other);
  await someLooks();
  const waiting = await suite.deliveryWhen(other, late, eventId, () => true);
  expect(waiting).toMatchObject({ status: 'pending', attempts: 0, history: [] });
  letGo();
  await eventually('it has its turn', async () =>
    suite.receiver.received.some(({ event }) => event.id === eventId),
  );
  const before = suite.receiver.received.findIndex(({ event }) => event.id === eventId);
  // The project's delivery was attempted early, not after the 200 deliveries of the other project.
  expect(before).toBeLessThan(150);
  await suite.receiver.untilReceived(201);
  expect(await suite.deliveryWhen(other, late, eventId, isSettled)).toMatchObject({
    delivered: true,
    attempts: 1,
  });
});

test('nothing is sent to an endpoint that is disabled while it waits for a slot', async () => {
  const tenant = newTenant();
  const letGo = suite.receiver.hold();
  const ids = await endpoints(tenant, 20);
  await suite.webhooks.emit(tenant);
  await suite.receiver.untilReceived(CAPACITY_LIMITS.perDestination);
  await Promise.all(
    ids.map((id) => suite.webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(id) })),
  );
  letGo();
  await someLooks();
  expect(suite.receiver.received).toHaveLength(CAPACITY_LIMITS.perDestination);
});

test('the test of an endpoint waits for a slot, and returns 503 if none becomes free in time', async () => {
  const [crowding, other] = [newTenant(), newTenant()];
  const letGo = suite.receiver.hold();
  await endpoints(crowding, 20);
  await suite.webhooks.emit(crowding);
  await suite.receiver.untilReceived(CAPACITY_LIMITS.perDestination);
  const [id = ''] = await endpoints(other, 1);
  const test = () => suite.webhooks.request(other, 'testWebhookEndpoint', { params: at(id), key: null });
  expect(await test()).toMatchObject({ status: 503, code: 'service_unavailable' });
  expect(suite.receiver.received.map(({ event }) => event.type)).not.toContain('sandbox.ping');
  const answer = test();
  await someLooks();
  letGo();
  expect(await answer).toMatchObject({ status: 200, body: { delivered: true, attempts: 1 } });
});

test('the test of an endpoint that waited for a slot starts no attempt without its full timeout', async () => {
  const [crowding, other] = [newTenant(), newTenant()];
  const letGo = suite.receiver.hold();
  await endpoints(crowding, CAPACITY_LIMITS.perDestination);
  await suite.webhooks.emit(crowding);
  await suite.receiver.untilReceived(CAPACITY_LIMITS.perDestination);
  const [id = ''] = await endpoints(other, 1);
  const answer = suite.webhooks.request(other, 'testWebhookEndpoint', { params: at(id), key: null });
  // Slots become free in time for the first attempt of the test event, but too late for the full timeout of a second one.
  await sleep(5_000);
  letGo();
  suite.receiver.behave(() => undefined);
  expect(await answer).toMatchObject({ status: 502, body: { delivered: false, attempts: 1 } });
});

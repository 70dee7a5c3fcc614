import { eventually } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { at, deliverySuite, hasAttempts, isSettled } from '../testing/delivery-suite';
import { startReceiver, verify } from '../testing/receiver';

const DAY_MS = 24 * 3_600_000;

const suite = deliverySuite();

test('an event is sent, signed, to every active, subscribed endpoint of its project and to no other', async () => {
  const [tenant, otherTenant] = [newTenant(), newTenant()];
  const others = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  const [second, deaf, foreign] = others;
  if (second === undefined || deaf === undefined || foreign === undefined) throw new Error('no receivers');
  const first = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const twin = await suite.webhooks.endpoint(tenant, second.url, ['claim.submitted']);
  await suite.webhooks.endpoint(tenant, deaf.url, ['claim.settled']);
  await suite.webhooks.endpoint(otherTenant, foreign.url);
  const id = await suite.webhooks.emit(tenant);
  await Promise.all([suite.receiver.untilReceived(1), second.untilReceived(1)]);
  for (const [got, secret] of [
    [suite.receiver.received[0], first.secret],
    [second.received[0], twin.secret],
  ] as const) {
    if (got === undefined) throw new Error('nothing was received');
    verify(secret, got);
    expect(got.headers['webhook-id']).toBe(id);
  }
  const event = await suite.webhooks.request(tenant, 'getEvent', { params: { event_id: id } });
  expect(JSON.parse(suite.receiver.received[0]?.body ?? '')).toEqual(event.body);
  expect((await suite.webhooks.request(otherTenant, 'getEvent', { params: { event_id: id } })).status).toBe(
    404,
  );
  const delivery = await suite.deliveryWhen(tenant, first.id, id, isSettled);
  expect(delivery).toMatchObject({
    delivered: true,
    attempts: 1,
    response_status: 204,
    next_attempt_at: null,
  });
  expect([deaf.received.length, foreign.received.length]).toEqual([0, 0]);
  await Promise.all(others.map((other) => other.stop()));
});

test('a message that the stream repeats is not delivered again', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const eventId = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, eventId, isSettled);
  const [row] = await suite.webhooks.sql<
    { payload: string }[]
  >`select payload from events where id = ${eventId}`;
  const message = JSON.stringify({ project_id: tenant, resource_id: 'clm_1', payload: row?.payload });
  await suite.webhooks.publish(message);
  await suite.webhooks.publish(message);
  const later = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, id, later, isSettled);
  expect(suite.receiver.received.map(({ event }) => event.id)).toEqual([eventId, later]);
});

test('after a rotation both secrets sign for 24 hours, then only the new one', async () => {
  const tenant = newTenant();
  const { id, secret: old } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const rotated = await suite.webhooks.request(tenant, 'rotateWebhookSecret', { params: at(id) });
  const next: string = rotated.body.signing_secret;
  await suite.webhooks.emit(tenant);
  await suite.receiver.untilReceived(1);
  const [both] = suite.receiver.received;
  if (both === undefined) throw new Error('nothing was received');
  verify(old, both);
  verify(next, both);
  await suite.moveClock(DAY_MS + 1_000);
  await suite.webhooks.emit(tenant);
  await suite.receiver.untilReceived(2);
  const [, later] = suite.receiver.received;
  if (later === undefined) throw new Error('nothing was received');
  verify(next, later);
  expect(() => verify(old, later)).toThrow();
  expect(later.headers['webhook-signature']?.split(' ')).toHaveLength(1);
});

test('an unavailable and a slow endpoint do not delay the others', async () => {
  const tenant = newTenant();
  const slow = await startReceiver();
  suite.receiver.hold();
  const letGo = slow.hold();
  await suite.webhooks.endpoint(tenant, suite.receiver.url);
  await suite.webhooks.endpoint(tenant, slow.url);
  const healthy = await startReceiver();
  const good = await suite.webhooks.endpoint(tenant, healthy.url);
  const ids = await Promise.all(Array.from({ length: 60 }, () => suite.webhooks.emit(tenant)));
  await healthy.untilReceived(60);
  expect(new Set(healthy.received.map(({ event }) => event.id))).toEqual(new Set(ids));
  expect(slow.received.length).toBeLessThan(60);
  letGo();
  await slow.untilReceived(60);
  expect((await suite.endpoint(tenant, good.id)).status).toBe('active');
  await Promise.all([slow.stop(), healthy.stop()]);
});

test('deliveries are listed newest first with their attempts, by status and in pages', async () => {
  const tenant = newTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  suite.receiver.behave((response, { event }) =>
    response.writeHead(event.type === 'claim.settled' ? 500 : 200).end(),
  );
  const ids: string[] = [];
  for (const type of ['claim.submitted', 'claim.settled', 'claim.submitted'] as const) {
    ids.unshift(await suite.webhooks.emit(tenant, { type }));
  }
  for (const eventId of ids) await suite.deliveryWhen(tenant, id, eventId, hasAttempts(1));
  const list = async (query: Record<string, string>) =>
    (await suite.deliveries(tenant, id, query)).map((delivery: { id: string }) => delivery.id);
  expect(await list({})).toEqual(ids);
  expect(await list({ status: 'pending' })).toEqual([ids[1]]);
  expect(await list({ status: 'delivered' })).toEqual([ids[0], ids[2]]);
  expect(await list({ starting_after: ids[0] ?? '', limit: '1' })).toEqual([ids[1]]);
  expect(await list({ starting_after: ids[0] ?? '', status: 'pending' })).toEqual([ids[1]]);
});

test("a cursor of another endpoint's list is rejected", async () => {
  const tenant = newTenant();
  const subscribed = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const pending = await suite.webhooks.endpoint(tenant, suite.receiver.url, ['claim.denied']);
  const eventId = await suite.webhooks.emit(tenant);
  await suite.deliveryWhen(tenant, subscribed.id, eventId, isSettled);
  const list = (id: string) =>
    suite.webhooks.request(tenant, 'listWebhookDeliveries', {
      params: at(id),
      query: { starting_after: eventId },
    });
  expect(await list(subscribed.id)).toMatchObject({ status: 200, body: { data: [] } });
  expect(await list(pending.id)).toMatchObject({ status: 400, code: 'validation_failed' });
});

test('events are listed by type and time', async () => {
  const tenant = newTenant();
  const submitted = await suite.webhooks.emit(tenant);
  const settledId = await suite.webhooks.emit(tenant, { type: 'claim.settled' });
  await eventually(
    'both are listed',
    async () => (await suite.webhooks.request(tenant, 'listEvents')).body.data.length === 2,
  );
  const list = async (query: Record<string, string>) =>
    (await suite.webhooks.request(tenant, 'listEvents', { query })).body.data.map(
      (event: { id: string }) => event.id,
    );
  expect(await list({})).toEqual([settledId, submitted]);
  expect(await list({ type: 'claim.settled' })).toEqual([settledId]);
  expect(await list({ created_before: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await list({ limit: '1', starting_after: settledId })).toEqual([submitted]);
  const narrowed = await suite.webhooks.request(tenant, 'listEvents', { resourceIds: [submitted] });
  expect(narrowed.body.data).toHaveLength(1);
});

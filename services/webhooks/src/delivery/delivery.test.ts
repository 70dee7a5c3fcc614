import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';
import type { Tenant } from '@carecover/platform';
import { answers, type Receiver, startReceiver, verify } from '../testing/receiver';
import { eventually, newTenant, startTestWebhooks, type TestWebhooks } from '../testing/test-webhooks';

const DAY_MS = 24 * 3_600_000;

let webhooks: TestWebhooks;
let receiver: Receiver;
let offsetMs = 0;

beforeAll(async () => {
  webhooks = await startTestWebhooks({
    seams: { dispatcher: { limits: { tickMs: 25, timeoutMs: 1_000 }, random: () => 0.5 } },
  });
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());
afterAll(() => webhooks?.stop());

const at = (id: string) => ({ webhook_endpoint_id: id });

async function moveClock(byMs: number): Promise<void> {
  offsetMs += byMs;
  await webhooks.database.setClockOffset(offsetMs);
}

async function deliveries(tenant: Tenant, id: string, query: Record<string, string> = {}) {
  return (await webhooks.ask(tenant, 'listWebhookDeliveries', { params: at(id), query })).body.data;
}

async function endpoint(tenant: Tenant, id: string) {
  return (await webhooks.ask(tenant, 'getWebhookEndpoint', { params: at(id) })).body;
}

/** The delivery of an event once `check` is true of it. */
function deliveryWhen(
  tenant: Tenant,
  id: string,
  eventId: string,
  check: (delivery: { attempts: number; status: string }) => boolean,
) {
  return eventually(async () => {
    const all: {
      id: string;
      attempts: number;
      status: string;
      next_attempt_at: string | null;
      history: { at: string; response_status: number | null; error: string | null }[];
      delivered: boolean;
      response_status: number | null;
    }[] = await deliveries(tenant, id, { limit: '100' });
    return all.find((delivery) => delivery.id === eventId && check(delivery));
  });
}

const settled = (delivery: { status: string }) => delivery.status !== 'pending';

test('an event reaches every active, subscribed endpoint of its project, signed, and no other', async () => {
  const [tenant, stranger] = [newTenant(), newTenant()];
  const others = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  const [second, deaf, foreign] = others;
  if (second === undefined || deaf === undefined || foreign === undefined) throw new Error('no receivers');
  const first = await webhooks.endpoint(tenant, receiver.url);
  const twin = await webhooks.endpoint(tenant, second.url, ['claim.submitted']);
  await webhooks.endpoint(tenant, deaf.url, ['claim.settled']);
  await webhooks.endpoint(stranger, foreign.url);
  const id = await webhooks.emit(tenant);
  await Promise.all([receiver.untilReceived(1), second.untilReceived(1)]);
  for (const [got, secret] of [
    [receiver.received[0], first.secret],
    [second.received[0], twin.secret],
  ] as const) {
    if (got === undefined) throw new Error('nothing was received');
    verify(secret, got);
    expect(got.headers['webhook-id']).toBe(id);
  }
  const event = await webhooks.ask(tenant, 'getEvent', { params: { event_id: id } });
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(event.body);
  expect((await webhooks.ask(stranger, 'getEvent', { params: { event_id: id } })).status).toBe(404);
  const delivery = await deliveryWhen(tenant, first.id, id, settled);
  expect(delivery).toMatchObject({
    delivered: true,
    attempts: 1,
    response_status: 204,
    next_attempt_at: null,
  });
  expect([deaf.received.length, foreign.received.length]).toEqual([0, 0]);
  await Promise.all(others.map((other) => other.stop()));
});

test('what the stream repeats is not sent again', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const eventId = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, eventId, settled);
  const [row] = await webhooks.sql<{ payload: string }[]>`select payload from events where id = ${eventId}`;
  const message = JSON.stringify({ project_id: tenant, resource_id: 'clm_1', payload: row?.payload });
  await webhooks.publish(message);
  await webhooks.publish(message);
  const later = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, later, settled);
  expect(receiver.received.map(({ event }) => event.id)).toEqual([eventId, later]);
});

test('a failing receiver is tried eight times over twenty-seven hours; then the delivery is kept as failed', async () => {
  const tenant = newTenant();
  receiver.behave(answers(500, 'not today'));
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const eventId = await webhooks.emit(tenant);
  const started = Date.now() + offsetMs;
  for (let made = 1; made < WEBHOOK_SCHEDULE_MS.length; made++) {
    const { next_attempt_at, history } = await deliveryWhen(
      tenant,
      id,
      eventId,
      ({ attempts }) => attempts === made,
    );
    const last = history.at(-1);
    const pauseMs = Date.parse(next_attempt_at ?? '') - Date.parse(last?.at ?? '');
    const scheduledMs = WEBHOOK_SCHEDULE_MS[made] ?? Number.NaN;
    // The pause is counted from the try's end.
    expect(pauseMs).toBeGreaterThanOrEqual(scheduledMs);
    expect(pauseMs).toBeLessThan(scheduledMs + 2_000);
    expect(receiver.received).toHaveLength(made);
    await moveClock(pauseMs);
  }
  const delivery = await deliveryWhen(tenant, id, eventId, settled);
  expect(delivery).toMatchObject({ status: 'failed', delivered: false, attempts: 8, next_attempt_at: null });
  expect(delivery.history).toHaveLength(8);
  expect(delivery.history[7]).toMatchObject({
    response_status: 500,
    error: 'The receiver answered 500.',
    response_excerpt: 'not today',
  });
  const hours = (Date.now() + offsetMs - started) / 3_600_000;
  expect(Math.round(hours)).toBe(28);
  expect((await endpoint(tenant, id)).status).toBe('active');

  const redelivered = await (async () => {
    receiver.behave(answers(200));
    const params = { ...at(id), event_id: eventId };
    return webhooks.ask(tenant, 'redeliverEvent', { params, key: 'again' });
  })();
  expect(redelivered).toMatchObject({ status: 202, body: { id: eventId, delivered: false, attempts: 8 } });
  expect(await deliveryWhen(tenant, id, eventId, settled)).toMatchObject({ delivered: true, attempts: 9 });
  const replay = await webhooks.ask(tenant, 'redeliverEvent', {
    params: { ...at(id), event_id: eventId },
    key: 'again',
  });
  expect(replay).toMatchObject({ status: 202, replayed: true, body: redelivered.body });
});

test('a redelivery begins a whole new round', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const eventId = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, eventId, settled);
  receiver.behave(answers(500));
  await webhooks.ask(tenant, 'redeliverEvent', { params: { ...at(id), event_id: eventId } });
  const failedOnce = await deliveryWhen(tenant, id, eventId, ({ attempts }) => attempts === 2);
  expect(failedOnce).toMatchObject({ status: 'pending', delivered: false });
  receiver.behave(answers(200));
  await moveClock(6_000);
  expect(await deliveryWhen(tenant, id, eventId, settled)).toMatchObject({ delivered: true, attempts: 3 });
});

test('a redelivery asked for while a try is under way is a further try, whatever that one comes to', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  receiver.behave((response) => setTimeout(() => response.writeHead(200).end(), 200));
  const eventId = await webhooks.emit(tenant);
  await receiver.untilReceived(1);
  await webhooks.ask(tenant, 'redeliverEvent', { params: { ...at(id), event_id: eventId } });
  await receiver.untilReceived(2);
  expect(await deliveryWhen(tenant, id, eventId, ({ attempts }) => attempts === 2)).toMatchObject({
    delivered: true,
  });
});

test('an unknown delivery is 404, and one of a disabled endpoint 409', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const eventId = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, eventId, settled);
  const redeliver = (event_id: string) =>
    webhooks.ask(tenant, 'redeliverEvent', { params: { ...at(id), event_id } });
  expect((await redeliver('evt_unknown')).code).toBe('resource_not_found');
  await webhooks.ask(tenant, 'disableWebhookEndpoint', { params: at(id) });
  expect((await redeliver(eventId)).code).toBe('endpoint_disabled');
});

test('a 410 disables the endpoint at once, and what it awaited fails', async () => {
  const tenant = newTenant();
  receiver.behave(answers(500));
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const waiting = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, waiting, ({ attempts }) => attempts === 1);
  receiver.behave(answers(410));
  const gone = await webhooks.emit(tenant);
  expect(await deliveryWhen(tenant, id, gone, settled)).toMatchObject({
    status: 'failed',
    response_status: 410,
  });
  expect(await endpoint(tenant, id)).toMatchObject({ status: 'disabled' });
  expect(await deliveryWhen(tenant, id, waiting, settled)).toMatchObject({ status: 'failed', attempts: 1 });
  const before = receiver.received.length;
  await webhooks.emit(tenant);
  await moveClock(6_000);
  const probe = newTenant();
  const other = await startReceiver();
  const active = await webhooks.endpoint(probe, other.url);
  await deliveryWhen(probe, active.id, await webhooks.emit(probe), settled);
  expect(receiver.received).toHaveLength(before);
  await other.stop();
});

test('an endpoint whose every try failed for five days is disabled, one success in between keeps it', async () => {
  const tenant = newTenant();
  const helped = newTenant();
  const other = await startReceiver();
  receiver.behave(answers(500));
  other.behave(answers(500));
  const failing = await webhooks.endpoint(tenant, receiver.url);
  const spared = await webhooks.endpoint(helped, other.url);
  for (let day = 0; day <= 5; day++) {
    other.behave(answers(day === 3 ? 200 : 500));
    const kept = await webhooks.emit(helped);
    await deliveryWhen(helped, spared.id, kept, ({ attempts }) => attempts > 0);
    const lost = await webhooks.emit(tenant);
    if (day < 5) {
      await deliveryWhen(tenant, failing.id, lost, ({ attempts }) => attempts > 0);
      expect((await endpoint(tenant, failing.id)).status).toBe('active');
    } else {
      // A retry of an earlier event may be the try that tells.
      await eventually(async () => (await endpoint(tenant, failing.id)).status === 'disabled');
    }
    await moveClock(DAY_MS + 1_000);
  }
  expect((await endpoint(helped, spared.id)).status).toBe('active');
  const [row] = await webhooks.sql`select disabled_reason from endpoints where id = ${failing.id}`;
  expect(row?.disabled_reason).toBe('failing');
  const opened = await webhooks.ask(tenant, 'updateWebhookEndpoint', {
    params: at(failing.id),
    body: { status: 'active' },
  });
  expect(opened.body.status).toBe('active');
  receiver.behave(answers(500));
  const again = await webhooks.emit(tenant);
  await deliveryWhen(tenant, failing.id, again, ({ attempts }) => attempts > 0);
  expect((await endpoint(tenant, failing.id)).status).toBe('active');
  await other.stop();
});

test('recovery sends all that was missed: what failed, and what came while the endpoint was disabled', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const since = new Date(Date.now() + offsetMs - 60_000).toISOString();
  const received = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, received, settled);
  receiver.behave(answers(500));
  const failing = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, failing, ({ attempts }) => attempts === 1);
  await webhooks.ask(tenant, 'disableWebhookEndpoint', { params: at(id) });
  const unheard = await webhooks.emit(tenant);
  await webhooks.emit(tenant, { type: 'claim.denied' });
  await webhooks.emit(tenant, { createdAt: new Date(Date.now() + offsetMs - 120_000) });
  await eventually(async () => (await webhooks.ask(tenant, 'listEvents')).body.data.length === 5);
  receiver.behave(answers(200));
  await webhooks.ask(tenant, 'updateWebhookEndpoint', { params: at(id), body: { status: 'active' } });
  const body = { since, until: new Date(Date.now() + offsetMs + 60_000).toISOString() };
  const recover = () =>
    webhooks.ask(tenant, 'recoverWebhookEndpoint', { params: at(id), body, key: 'recover once' });
  expect(await recover()).toMatchObject({ status: 202, body: { object: 'webhook_recovery', count: 2 } });
  for (const eventId of [failing, unheard]) {
    expect(await deliveryWhen(tenant, id, eventId, settled)).toMatchObject({ delivered: true });
  }
  expect(await recover()).toMatchObject({ status: 202, replayed: true, body: { count: 2 } });
  const counts = receiver.received.map(({ event }) => event.id);
  expect(counts.filter((eventId) => eventId === received)).toHaveLength(1);
});

test('recovery brings forward what waits for a retry, and leaves what has not been tried yet', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  receiver.behave(answers(500));
  const eventId = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, eventId, ({ attempts }) => attempts === 1);
  receiver.behave(answers(200));
  const body = {
    since: new Date(Date.now() + offsetMs - 60_000).toISOString(),
    until: new Date(Date.now() + offsetMs + 60_000).toISOString(),
  };
  const recovered = await webhooks.ask(tenant, 'recoverWebhookEndpoint', { params: at(id), body });
  expect(recovered.body.count).toBe(1);
  expect(await deliveryWhen(tenant, id, eventId, settled)).toMatchObject({ delivered: true, attempts: 2 });
});

test('an event that is no longer subscribed is not tried again', async () => {
  const tenant = newTenant();
  receiver.behave(answers(500));
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  const eventId = await webhooks.emit(tenant);
  await deliveryWhen(tenant, id, eventId, ({ attempts }) => attempts === 1);
  await webhooks.ask(tenant, 'updateWebhookEndpoint', {
    params: at(id),
    body: { events: ['claim.settled'] },
  });
  expect(await deliveryWhen(tenant, id, eventId, settled)).toMatchObject({ status: 'failed', attempts: 1 });
});

test('after a rotation both secrets sign for 24 hours, then the new one alone', async () => {
  const tenant = newTenant();
  const { id, secret: old } = await webhooks.endpoint(tenant, receiver.url);
  const rotated = await webhooks.ask(tenant, 'rotateWebhookSecret', { params: at(id) });
  const next: string = rotated.body.signing_secret;
  await webhooks.emit(tenant);
  await receiver.untilReceived(1);
  const [both] = receiver.received;
  if (both === undefined) throw new Error('nothing was received');
  verify(old, both);
  verify(next, both);
  await moveClock(DAY_MS + 1_000);
  await webhooks.emit(tenant);
  await receiver.untilReceived(2);
  const [, later] = receiver.received;
  if (later === undefined) throw new Error('nothing was received');
  verify(next, later);
  expect(() => verify(old, later)).toThrow();
  expect(later.headers['webhook-signature']?.split(' ')).toHaveLength(1);
});

test('a dead and a slow endpoint do not keep the others waiting', async () => {
  const tenant = newTenant();
  const slow = await startReceiver();
  receiver.behave(() => undefined);
  slow.behave((response) => setTimeout(() => response.writeHead(200).end(), 500));
  await webhooks.endpoint(tenant, receiver.url);
  await webhooks.endpoint(tenant, slow.url);
  const healthy = await startReceiver();
  const good = await webhooks.endpoint(tenant, healthy.url);
  const ids = await Promise.all(Array.from({ length: 60 }, () => webhooks.emit(tenant)));
  await healthy.untilReceived(60);
  expect(new Set(healthy.received.map(({ event }) => event.id))).toEqual(new Set(ids));
  // The slow one has had no time for all of them yet.
  expect(slow.received.length).toBeLessThan(60);
  await slow.untilReceived(60);
  expect((await endpoint(tenant, good.id)).status).toBe('active');
  await Promise.all([slow.stop(), healthy.stop()]);
});

test('deliveries are listed newest first with their tries, filtered by status and page by page', async () => {
  const tenant = newTenant();
  const { id } = await webhooks.endpoint(tenant, receiver.url);
  receiver.behave((response, { event }) =>
    response.writeHead(event.type === 'claim.settled' ? 500 : 200).end(),
  );
  const ids: string[] = [];
  for (const type of ['claim.submitted', 'claim.settled', 'claim.submitted'] as const) {
    ids.unshift(await webhooks.emit(tenant, { type }));
  }
  for (const eventId of ids) await deliveryWhen(tenant, id, eventId, ({ attempts }) => attempts === 1);
  const list = async (query: Record<string, string>) =>
    (await deliveries(tenant, id, query)).map((delivery: { id: string }) => delivery.id);
  expect(await list({})).toEqual(ids);
  expect(await list({ status: 'pending' })).toEqual([ids[1]]);
  expect(await list({ status: 'delivered' })).toEqual([ids[0], ids[2]]);
  expect(await list({ starting_after: ids[0] ?? '', limit: '1' })).toEqual([ids[1]]);
});

test('events are listed by type and time', async () => {
  const tenant = newTenant();
  const submitted = await webhooks.emit(tenant);
  const settledId = await webhooks.emit(tenant, { type: 'claim.settled' });
  await eventually(async () => (await webhooks.ask(tenant, 'listEvents')).body.data.length === 2);
  const list = async (query: Record<string, string>) =>
    (await webhooks.ask(tenant, 'listEvents', { query })).body.data.map((event: { id: string }) => event.id);
  expect(await list({})).toEqual([settledId, submitted]);
  expect(await list({ type: 'claim.settled' })).toEqual([settledId]);
  expect(await list({ created_before: '2020-01-01T00:00:00Z' })).toEqual([]);
  expect(await list({ limit: '1', starting_after: settledId })).toEqual([submitted]);
  const narrowed = await webhooks.ask(tenant, 'listEvents', { resourceIds: [submitted] });
  expect(narrowed.body.data).toHaveLength(1);
});

// Webhooks of a project with simulated time: an advance of the clock makes the retries, each at its own instant.
import { finishInterrupted } from '@carecover/commands';
import { WEBHOOK_SCHEDULE_MS } from '@carecover/contract';
import { newId, simulatedProjectId, storedTenant, type Tenant } from '@carecover/domain';
import { connectPostgres, databaseNow, type Sql } from '@carecover/postgres';
import { askInternalRoute, newTenant, pendingCommand } from '@carecover/testing/services';
import { countUnfinished } from './store/clock-retries';
import { deliverySuite, isSettled } from './testing/delivery-suite';
import { respondWith, verify } from './testing/receiver';

const DAY_MS = 24 * 3_600_000;
const START_MS = Date.parse('2031-03-01T00:00:00.000Z');
const SIMULATED_AT = 'webhook-simulated-at';

const suite = deliverySuite();
let admin: Sql;

beforeAll(() => {
  admin = connectPostgres(suite.webhooks.database.adminUrl, 1, 'test');
});
afterAll(() => admin?.end());

/** Creates a simulated project. */
async function simulatedTenant(): Promise<Tenant> {
  const tenant = storedTenant(simulatedProjectId(newId('prj_')));
  await admin`insert into platform.project_clocks (project_id, now) values (${tenant}, ${new Date(START_MS)})`;
  return tenant;
}

async function post(tenant: Tenant, path: string, body: object) {
  const answer = await askInternalRoute('webhooks', suite.webhooks.port, tenant, path, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

async function settle(tenant: Tenant, events: readonly string[] = []): Promise<void> {
  for (;;) {
    const { unfinished } = await post(tenant, '/clock/settle', { events });
    if (unfinished === 0) return;
  }
}

const move = (tenant: Tenant, to: Date) =>
  admin`update platform.project_clocks set now = ${to} where project_id = ${tenant}`;

/** Emits an event at an instant of the project, and waits for its first attempt. */
async function emitAt(tenant: Tenant, ms: number): Promise<string> {
  await move(tenant, new Date(ms));
  const id = await suite.webhooks.emit(tenant, { createdAt: new Date(ms) });
  await settle(tenant, [id]);
  return id;
}

/** Advances the clock as the gateway does. Returns the instants of the executed items. */
async function advance(tenant: Tenant, toMs: number): Promise<string[]> {
  const until = new Date(toMs);
  const instants: string[] = [];
  for (;;) {
    const { next } = await post(tenant, '/clock/due', { until });
    if (next === null) {
      await move(tenant, until);
      return instants;
    }
    const at = next.at as string;
    instants.push(at);
    expect(next).toMatchObject({ resource: expect.stringMatching(/^evt_/), what: 'webhook.retry' });
    await post(tenant, '/clock/execute', { now: at, through: at, until });
    await settle(tenant);
    await move(tenant, new Date(at));
  }
}

const instantsOf = (received: readonly { readonly headers: Record<string, string> }[]) =>
  received.map(({ headers }) => headers[SIMULATED_AT]);

/** The instants of all attempts of an event that was created at an instant, without jitter. */
function scheduleFrom(ms: number): string[] {
  const afterMs = (attempts: number) =>
    WEBHOOK_SCHEDULE_MS.slice(0, attempts).reduce((sum, delay) => sum + delay, 0);
  return WEBHOOK_SCHEDULE_MS.map((_delay, index) => new Date(ms + afterMs(index + 1)).toISOString());
}

test('an advance over the schedule makes the attempts in order, each at its instant; real time makes only the first', async () => {
  const tenant = await simulatedTenant();
  suite.receiver.behave(respondWith(503));
  const { id, secret } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const createdMs = START_MS + 1_000;
  const event = await emitAt(tenant, createdMs);
  expect(suite.receiver.received).toHaveLength(1);
  // The dispatcher ticks every 25 ms and the real time passes the whole schedule: nothing waits in real time.
  await suite.moveClock(3 * DAY_MS);
  const probe = newTenant();
  suite.receiver.behave((response, { event: { id: received } }) =>
    response.writeHead(received === event ? 503 : 204).end(),
  );
  const other = await suite.webhooks.endpoint(probe, suite.receiver.url);
  await suite.deliveryWhen(probe, other.id, await suite.webhooks.emit(probe), isSettled);
  const ofEvent = () => suite.receiver.received.filter(({ event: { id: received } }) => received === event);
  expect(ofEvent()).toHaveLength(1);

  const expected = scheduleFrom(createdMs);
  const [pending] = await suite.deliveries(tenant, id);
  expect(pending).toMatchObject({ status: 'pending', attempts: 1, next_attempt_at: expected[1] });
  expect(await advance(tenant, createdMs + 3_600_000)).toEqual(expected.slice(1, 4));
  expect(await advance(tenant, START_MS + 2 * DAY_MS)).toEqual(expected.slice(4));
  expect(instantsOf(ofEvent())).toEqual(expected);
  for (const received of ofEvent()) expect(() => verify(secret, received)).not.toThrow();
  const [failed] = await suite.deliveries(tenant, id);
  expect(failed).toMatchObject({ status: 'failed', attempts: expected.length, next_attempt_at: null });
  expect(failed?.history.map(({ at }) => at)).toEqual(expected);
  expect(
    instantsOf(suite.receiver.received.filter(({ event: { id: received } }) => received !== event)),
  ).toEqual([undefined]);
});

test('an endpoint is disabled at the instant of the attempt by which all have failed for five days', async () => {
  const tenant = await simulatedTenant();
  suite.receiver.behave(respondWith(503));
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  await emitAt(tenant, START_MS);
  const lateMs = START_MS + 5 * DAY_MS - 2 * 3_600_000;
  await advance(tenant, lateMs);
  expect(await suite.endpoint(tenant, id)).toMatchObject({ status: 'active' });
  const late = await emitAt(tenant, lateMs);
  await advance(tenant, START_MS + 9 * DAY_MS);
  const disabledAt = scheduleFrom(lateMs).find((at) => Date.parse(at) >= START_MS + 5 * DAY_MS);
  expect(await suite.endpoint(tenant, id)).toMatchObject({ status: 'disabled', disabled_at: disabledAt });
  expect(instantsOf(suite.receiver.received).at(-1)).toBe(disabledAt);
  const deliveries = await suite.deliveries(tenant, id);
  expect(deliveries.find((delivery) => delivery.id === late)).toMatchObject({
    status: 'failed',
    next_attempt_at: null,
  });
  // Enabled again, it has its own first failure.
  await suite.webhooks.request(tenant, 'updateWebhookEndpoint', {
    params: { webhook_endpoint_id: id },
    body: { status: 'active' },
  });
  await emitAt(tenant, START_MS + 9 * DAY_MS + 1);
  expect(await suite.endpoint(tenant, id)).toMatchObject({ status: 'active' });
});

test('a redelivery and a recovery make their first attempt at once, at the time of the clock; a requested pause is exact', async () => {
  const tenant = await simulatedTenant();
  suite.receiver.behave(respondWith(503, '', { 'retry-after': '7200' }));
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const event = await emitAt(tenant, START_MS);
  const later = START_MS + 60_000;
  await move(tenant, new Date(later));
  const params = { webhook_endpoint_id: id, event_id: event };
  await suite.webhooks.request(tenant, 'redeliverEvent', { params });
  await settle(tenant);
  expect(await advance(tenant, later + 7_200_000)).toEqual([new Date(later + 7_200_000).toISOString()]);
  const recovered = later + 7_200_000;
  suite.receiver.behave(respondWith(204));
  const range = { since: new Date(START_MS).toISOString(), until: new Date(later).toISOString() };
  await suite.webhooks.request(tenant, 'recoverWebhookEndpoint', {
    params: { webhook_endpoint_id: id },
    body: range,
  });
  await settle(tenant);
  const instants = [START_MS, later, recovered, recovered].map((ms) => new Date(ms).toISOString());
  expect(instantsOf(suite.receiver.received)).toEqual(instants);
  expect((await suite.deliveries(tenant, id))[0]).toMatchObject({ status: 'delivered' });
});

test('the test of an endpoint has the time of the clock', async () => {
  const tenant = await simulatedTenant();
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  await suite.webhooks.request(tenant, 'testWebhookEndpoint', { params: { webhook_endpoint_id: id } });
  expect(instantsOf(suite.receiver.received)).toEqual([new Date(START_MS).toISOString()]);
});

test('an event that has not arrived is waited for; without an active endpoint no attempt is', async () => {
  const tenant = await simulatedTenant();
  const event = newId('evt_');
  expect(await post(tenant, '/clock/settle', { events: [] })).toEqual({
    hasReceivers: false,
    unfinished: 0,
    isQueued: false,
  });
  const { id } = await suite.webhooks.endpoint(tenant, suite.receiver.url);
  const release = suite.receiver.hold();
  const settled = settle(tenant, [event]);
  await suite.webhooks.emit(tenant, { id: event, createdAt: new Date(START_MS) });
  await suite.receiver.untilReceived(1);
  await suite.webhooks.sql.begin(async (tx) => {
    const attempt = { hasReceivers: true, unfinished: 1 };
    expect(await countUnfinished(tx, tenant, [event])).toEqual({ ...attempt, isQueued: false });
    await tx`update deliveries set leased_until = null where project_id = ${tenant}`;
    expect(await countUnfinished(tx, tenant, [event])).toEqual({ ...attempt, isQueued: true });
    await tx`update deliveries set leased_until = platform.real_now() + interval '1 minute' where project_id = ${tenant}`;
  });
  release();
  await settled;
  expect((await suite.deliveries(tenant, id))[0]).toMatchObject({ status: 'delivered' });
});

test('a project with real time has no clock', async () => {
  for (const path of ['/clock/due', '/clock/execute', '/clock/settle', '/clock/events']) {
    const answer = await askInternalRoute('webhooks', suite.webhooks.port, newTenant(), path, { events: [] });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'permission_denied']);
  }
});

test('an interrupted test of an endpoint is finished at the time of the project', async () => {
  const { sql } = suite.webhooks;
  const id = await pendingCommand(sql, await simulatedTenant(), 'testWebhookEndpoint', newId('whe_'), {});
  const seen: Date[] = [];
  const testWebhookEndpoint = async () => {
    seen.push(await databaseNow(sql));
    return null;
  };
  await finishInterrupted(sql, { testWebhookEndpoint })();
  await sql`delete from pending_commands where id = ${id}`;
  expect(seen).toEqual([new Date(START_MS)]);
});

import { type EventType, eventTypes } from '@carecover/contract';
import { eventually } from '@carecover/testing/servers';
import { findStoredAnswers, newTenant } from '@carecover/testing/services';
import { disableEndpoint } from '../store/endpoints';
import { startTestWebhooks, type TestWebhooks } from '../testing/test-webhooks';

let webhooks: TestWebhooks;

beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks?.stop());

const HOOK = 'https://example.com/hooks';
const SETTLED: readonly EventType[] = ['claim.settled'];
const at = (id: string) => ({ webhook_endpoint_id: id });

async function create(tenant = newTenant(), body: object = { url: HOOK, events: SETTLED }) {
  const answer = await webhooks.request(tenant, 'createWebhookEndpoint', { body });
  return { tenant, answer, id: answer.body.id as string };
}

test('an endpoint is created active, and only this response contains its secret', async () => {
  const { tenant, answer, id } = await create();
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    object: 'webhook_endpoint',
    url: HOOK,
    events: SETTLED,
    status: 'active',
  });
  expect(answer.body.disabled_at).toBeNull();
  expect(answer.body.signing_secret).toMatch(/^whsec_/);
  const read = await webhooks.request(tenant, 'getWebhookEndpoint', { params: at(id) });
  expect(read.body).toEqual({ ...answer.body, signing_secret: undefined });
  const list = await webhooks.request(tenant, 'listWebhookEndpoints');
  expect(list.body.data).toEqual([read.body]);
});

test('a repeated creation under one key returns the same endpoint without its secret, also concurrently', async () => {
  const tenant = newTenant();
  const ask = () =>
    webhooks.request(tenant, 'createWebhookEndpoint', {
      body: { url: HOOK, events: SETTLED },
      key: 'the same key',
    });
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const { status, replayed, body } of answers) {
    expect(status).toBe(201);
    expect('signing_secret' in body).toBe(!replayed);
  }
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const list = await webhooks.request(tenant, 'listWebhookEndpoints');
  expect(list.body.data).toHaveLength(1);
});

test('no secret is stored in plain text, nor in stored responses', async () => {
  const { answer, id } = await create();
  const secret: string = answer.body.signing_secret;
  expect(await findStoredAnswers(webhooks.sql, id)).toHaveLength(1);
  expect(await findStoredAnswers(webhooks.sql, secret.slice(6))).toEqual([]);
  const leaks = await webhooks.sql`
    select 1 from signing_secrets where position(convert_to(${secret.slice(6)}, 'UTF8') in ciphertext) > 0`;
  expect(leaks).toHaveLength(0);
});

test('no operation shows the endpoint to another project', async () => {
  const { id } = await create();
  const other = newTenant();
  const operations = [
    'getWebhookEndpoint',
    'updateWebhookEndpoint',
    'disableWebhookEndpoint',
    'testWebhookEndpoint',
    'rotateWebhookSecret',
    'listWebhookDeliveries',
  ] as const;
  for (const operation of operations) {
    const answer = await webhooks.request(other, operation, {
      params: at(id),
      body: operation === 'updateWebhookEndpoint' ? {} : undefined,
    });
    expect(answer.code).toBe('resource_not_found');
  }
  expect((await webhooks.request(other, 'listWebhookEndpoints')).body.data).toEqual([]);
  const cursor = await webhooks.request(other, 'listWebhookEndpoints', { query: { starting_after: id } });
  expect(cursor.code).toBe('validation_failed');
});

test('a token limited to other resources does not reach it, one limited to it does', async () => {
  const { tenant, id } = await create();
  const narrowed = { params: at(id), resourceIds: ['clm_1'] };
  expect((await webhooks.request(tenant, 'getWebhookEndpoint', narrowed)).status).toBe(404);
  expect((await webhooks.request(tenant, 'disableWebhookEndpoint', narrowed)).status).toBe(404);
  const reaching = { params: at(id), resourceIds: [id] };
  expect((await webhooks.request(tenant, 'getWebhookEndpoint', reaching)).status).toBe(200);
  expect((await webhooks.request(tenant, 'listWebhookDeliveries', reaching)).status).toBe(200);
});

test.each([
  'https://user@example.com/',
  'https://example.com/#a',
  'ftp://example.com',
  'https://10.0.0.1/',
  'https://[::ffff:7f00:1]/',
])('the URL %s is rejected at creation and at a change', async (url) => {
  const { tenant, answer } = await create(newTenant(), { url, events: SETTLED });
  expect(answer).toMatchObject({ status: 422, code: 'webhook_url_not_allowed' });
  expect((await webhooks.request(tenant, 'listWebhookEndpoints')).body.data).toEqual([]);
  const { id, tenant: owner } = await create();
  const change = await webhooks.request(owner, 'updateWebhookEndpoint', { params: at(id), body: { url } });
  expect(change.code).toBe('webhook_url_not_allowed');
});

test('after a rejected creation the same key can have a corrected URL', async () => {
  const tenant = newTenant();
  const ask = (url: string) =>
    webhooks.request(tenant, 'createWebhookEndpoint', { body: { url, events: SETTLED }, key: 'corrected' });
  expect((await ask('http://example.com')).status).toBe(422);
  expect((await ask(HOOK)).status).toBe(201);
  expect((await ask('https://example.com/other')).code).toBe('idempotency_conflict');
});

test('PATCH changes only the fields of its body', async () => {
  const { tenant, id, answer } = await create();
  const { signing_secret: _secret, ...before } = answer.body;
  const patch = async (body: object) =>
    (await webhooks.request(tenant, 'updateWebhookEndpoint', { params: at(id), body })).body;
  expect(await patch({})).toEqual(before);
  expect(await patch({ url: 'https://example.com/2' })).toEqual({ ...before, url: 'https://example.com/2' });
  expect(await patch({ events: eventTypes })).toEqual({
    ...before,
    url: 'https://example.com/2',
    events: eventTypes,
  });
});

test('DELETE disables, also when repeated; PATCH enables again', async () => {
  const { tenant, id } = await create();
  const first = await webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(id) });
  expect(first).toMatchObject({ status: 200, body: { status: 'disabled' } });
  expect(first.body.disabled_at).not.toBeNull();
  const second = await webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(id) });
  expect(second.body).toEqual(first.body);
  const opened = await webhooks.request(tenant, 'updateWebhookEndpoint', {
    params: at(id),
    body: { status: 'active' },
  });
  expect(opened.body).toMatchObject({ status: 'active', disabled_at: null });
  const closed = await webhooks.request(tenant, 'updateWebhookEndpoint', {
    params: at(id),
    body: { status: 'disabled' },
  });
  expect(closed.body.status).toBe('disabled');
});

test('operations that send to a disabled endpoint are 409, and its test is 404', async () => {
  const { tenant, id } = await create();
  await webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(id) });
  const stretch = { since: new Date(Date.now() - 1_000).toISOString(), until: new Date().toISOString() };
  const recover = await webhooks.request(tenant, 'recoverWebhookEndpoint', { params: at(id), body: stretch });
  expect(recover.code).toBe('endpoint_disabled');
  expect((await webhooks.request(tenant, 'rotateWebhookSecret', { params: at(id) })).code).toBe(
    'endpoint_disabled',
  );
  expect((await webhooks.request(tenant, 'testWebhookEndpoint', { params: at(id) })).status).toBe(404);
});

test('every rotation returns a new secret, with any idempotency key', async () => {
  const { tenant, id, answer } = await create();
  const rotate = async () =>
    (await webhooks.request(tenant, 'rotateWebhookSecret', { params: at(id), key: 'a key to be ignored' }))
      .body.signing_secret;
  const secrets = [answer.body.signing_secret, await rotate(), await rotate()];
  expect(new Set(secrets).size).toBe(3);
});

test('an operator reads failing and disabled endpoints and the deliveries about a resource of the project alone', async () => {
  const { tenant, id } = await create(newTenant(), { url: HOOK, events: ['claim.submitted'] });
  const foreign = newTenant();
  const resourceId = 'clm_0199f2a4c1d27b3e9a5f60718293a4b5';
  const eventId = await webhooks.emit(tenant, { resourceId });
  await eventually('the event is stored', async () => {
    const { body } = await webhooks.operator(tenant, `/resources/${resourceId}/deliveries`);
    return body.data.length === 1;
  });
  const { body } = await webhooks.operator(tenant, `/resources/${resourceId}/deliveries`);
  expect(body).toMatchObject({ data: [{ id: eventId, endpoint_id: id, url: HOOK }], has_more: false });
  await webhooks.sql`update endpoints set first_failure_at = platform.now() where id = ${id}`;
  const failing = await webhooks.operator(tenant, '/failing_endpoints');
  expect(failing.body.data).toEqual([{ id, url: HOOK, failing_since: expect.any(String) }]);
  const lost = await create(tenant);
  await webhooks.sql.begin((tx) => disableEndpoint(tx, tenant, lost.id, 'gone'));
  const requested = await create(tenant);
  await webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(requested.id) });
  const disabled = await webhooks.operator(tenant, '/endpoints_disabled_by_service');
  expect(disabled.body.data).toMatchObject([{ id: lost.id, reason: 'gone' }]);
  for (const path of [
    `/resources/${resourceId}/deliveries`,
    '/failing_endpoints',
    '/endpoints_disabled_by_service',
  ]) {
    expect([path, (await webhooks.operator(foreign, path)).body.data]).toEqual([path, []]);
    expect([path, (await webhooks.operator(tenant, path, 'gateway')).status]).toEqual([path, 403]);
  }
  await webhooks.publish('no JSON');
  await eventually('the message is dead-lettered', async () => {
    const answer = await webhooks.operator(foreign, '/dead_lettered_messages');
    return answer.body.count === 1 && Object.keys(answer.body).length === 2;
  });
});

test('lists are filtered by status and time, in pages, newest first', async () => {
  const tenant = newTenant();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await create(tenant)).id);
  await webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(ids[1] ?? '') });
  const list = async (query: Record<string, string>) =>
    (await webhooks.request(tenant, 'listWebhookEndpoints', { query })).body;
  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
  const first = await list({ limit: '2' });
  expect(first.has_more).toBe(true);
  const rest = await list({ limit: '3', starting_after: ids[1] ?? '' });
  expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids);
  expect(rest.has_more).toBe(false);
  expect(idsOf(await list({ status: 'disabled' }))).toEqual([ids[1]]);
  expect(idsOf(await list({ created_after: new Date(Date.now() + 60_000).toISOString() }))).toEqual([]);
  expect(idsOf(await list({ created_before: new Date(Date.now() + 60_000).toISOString() }))).toEqual(ids);
});

import type { Tenant } from '@carecover/domain';
import { newTenant } from '@carecover/testing/services';
import { startTestWebhooks, type TestWebhooks } from '../testing/test-webhooks';

const DEFAULT_LIMIT = 50;

let webhooks: TestWebhooks;

beforeAll(async () => {
  webhooks = await startTestWebhooks();
  await webhooks.start();
});
afterAll(() => webhooks?.stop());

const body = { url: 'https://example.com/hooks', events: ['claim.settled'] };
const at = (id: string) => ({ webhook_endpoint_id: id });

interface Asking {
  readonly limit?: number;
  readonly replica?: number;
  readonly key?: string;
}

function create(tenant: Tenant, { limit = 3, replica = 0, key }: Asking = {}) {
  const options = { body, endpointLimit: limit, ...(key === undefined ? {} : { key }) };
  return webhooks.request(tenant, 'createWebhookEndpoint', options, replica);
}

function setStatus(
  tenant: Tenant,
  id: string,
  status: 'active' | 'disabled',
  { limit = 3, replica = 0 } = {},
) {
  const options = { params: at(id), body: { status }, endpointLimit: limit };
  return webhooks.request(tenant, 'updateWebhookEndpoint', options, replica);
}

async function createMany(tenant: Tenant, count: number, limit = count): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await create(tenant, { limit })).body.id);
  return ids;
}

async function activeCount(tenant: Tenant): Promise<number> {
  const query = { status: 'active', limit: '100' };
  return (await webhooks.request(tenant, 'listWebhookEndpoints', { query })).body.data.length;
}

test('a project has at most fifty active endpoints unless its settings say otherwise', async () => {
  const tenant = newTenant();
  await createMany(tenant, DEFAULT_LIMIT);
  const rejected = await webhooks.request(tenant, 'createWebhookEndpoint', { body });
  expect(rejected).toMatchObject({ status: 409, code: 'endpoint_limit_reached' });
  expect(rejected.body.error.message).toContain('50');
  expect(await activeCount(tenant)).toBe(DEFAULT_LIMIT);
  expect((await create(newTenant(), { limit: DEFAULT_LIMIT })).status).toBe(201);
});

test('after a rejection the same key creates the endpoint once another one is disabled', async () => {
  const tenant = newTenant();
  const [first = ''] = await createMany(tenant, 3);
  expect((await create(tenant, { key: 'the same key' })).code).toBe('endpoint_limit_reached');
  await webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(first) });
  expect(await create(tenant, { key: 'the same key' })).toMatchObject({ status: 201, replayed: false });
  expect(await activeCount(tenant)).toBe(3);
});

test('a replay of a creation returns its response at the limit and creates nothing', async () => {
  const tenant = newTenant();
  const created = await create(tenant, { key: 'the creation' });
  await createMany(tenant, 2, 3);
  const replay = await create(tenant, { key: 'the creation' });
  expect(replay).toMatchObject({ status: 201, replayed: true, body: { id: created.body.id } });
  expect(await activeCount(tenant)).toBe(3);
});

test('PATCH enables a disabled endpoint only below the limit, and changes an active one at the limit', async () => {
  const tenant = newTenant();
  const [first = '', second = ''] = await createMany(tenant, 3);
  await webhooks.request(tenant, 'disableWebhookEndpoint', { params: at(first) });
  await create(tenant);
  expect(await setStatus(tenant, first, 'active')).toMatchObject({
    status: 409,
    code: 'endpoint_limit_reached',
  });
  expect((await setStatus(tenant, second, 'active')).status).toBe(200);
  await setStatus(tenant, second, 'disabled');
  expect((await setStatus(tenant, first, 'active')).body.status).toBe('active');
  expect(await activeCount(tenant)).toBe(3);
});

test('a lowered limit keeps active endpoints and rejects further ones', async () => {
  const tenant = newTenant();
  const [first = ''] = await createMany(tenant, 3);
  expect((await create(tenant, { limit: 1 })).code).toBe('endpoint_limit_reached');
  expect((await setStatus(tenant, first, 'active', { limit: 1 })).status).toBe(200);
  expect(await activeCount(tenant)).toBe(3);
});

test('concurrent requests on two replicas neither exceed the limit nor stay below it', async () => {
  for (let round = 0; round < 5; round++) {
    const tenant = newTenant();
    const disabled = await createMany(tenant, 6, 10);
    for (const id of disabled) await setStatus(tenant, id, 'disabled');
    await createMany(tenant, 1);
    const answers = await Promise.all([
      ...disabled.map((id, n) => setStatus(tenant, id, 'active', { limit: 5, replica: n % 2 })),
      ...Array.from({ length: 6 }, (_, n) => create(tenant, { limit: 5, replica: n % 2 })),
    ]);
    const statuses = answers.map(({ status, code }) => code ?? status);
    expect(statuses.filter((status) => status === 200 || status === 201)).toHaveLength(4);
    expect(statuses.filter((status) => status === 'endpoint_limit_reached')).toHaveLength(8);
    expect(await activeCount(tenant)).toBe(5);
  }
});

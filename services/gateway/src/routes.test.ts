import { expandPath, operationList } from '@carecover/contract';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  key = (await fixture.project()).secret_key;
});
afterAll(() => fixture.stop());

test.each([
  '/v1/nothing',
  '/v1/claims/',
  '/v1//claims',
  '/v1/Claims',
  '/v1/claims/clm_1/nothing',
  '/v1/%zz',
  '/v1/__proto__',
])('%s is an unknown path: 404 resource_not_found', async (path) => {
  const answer = await gateway.request(path, { key });
  expect([answer.status, codeOf(answer)]).toEqual([404, 'resource_not_found']);
});

test('a path outside the base path needs no key: 404', async () => {
  expect(codeOf(await gateway.request('/'))).toBe('resource_not_found');
  expect(codeOf(await gateway.request('/v2/claims'))).toBe('resource_not_found');
});

test('below the base path, a request without a key gets 401 for any path and method', async () => {
  expect(codeOf(await gateway.request('/v1/nothing'))).toBe('api_key_missing');
  expect(codeOf(await gateway.request('/v1/claims', { method: 'PUT' }))).toBe('api_key_missing');
});

test('a known path with another method: 405 with its methods in Allow', async () => {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of operationList) byPath.set(path, [...(byPath.get(path) ?? []), method]);
  for (const [path, methods] of byPath) {
    const concrete = `/v1${expandPath(path, () => 'x')}`;
    const answer = await gateway.request(concrete, { key, method: 'PUT' });
    expect([path, answer.status, codeOf(answer)]).toEqual([path, 405, 'method_not_allowed']);
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...methods].sort());
  }
  const post = await gateway.request('/v1/receivables', { key, body: {} });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET']);
});

test('an operation of the sandbox is an unknown path in production', async () => {
  const live = await fixture.productionGateway();
  const production = (await fixture.project('production')).secret_key;
  const sandboxOperations = operationList.filter(({ sandboxOnly }) => sandboxOnly);
  expect(sandboxOperations.length).toBeGreaterThan(0);
  for (const { path, method } of sandboxOperations) {
    const concrete = `/v1${expandPath(path, () => 'x')}`;
    const answer = await live.request(concrete, { key: production, method });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'resource_not_found']);
  }
});

test("a caller's request ID is kept if it is a UUID, else replaced", async () => {
  const given = '0199f2a4-c1d2-7b3e-9a5f-60718293a4b5';
  const kept = await gateway.request('/v1/', { key, headers: { 'x-request-id': given } });
  expect(kept.headers.get('x-request-id')).toBe(given);
  const replaced = await gateway.request('/v1/', { key, headers: { 'x-request-id': 'mine' } });
  expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
});

test('the docs of an error link to its anchor on a page that needs no key', async () => {
  const { body } = await gateway.request('/v1/nothing', { key });
  const { docs } = (body as { error: { docs: string } }).error;
  const url = new URL(docs);
  expect(url.protocol).toBe('https:');
  expect(url.host).toBe(`127.0.0.1:${gateway.port}`);
  const page = await gateway.request(url.pathname);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain(`id="${url.hash.slice(1)}"`);
});

test('links contain the public URL if one is set, not the Host of the request', async () => {
  const configured = await fixture.gateway({ PUBLIC_URL: 'https://api.example.com/ignored' });
  const { body } = await configured.request('/v1/');
  expect(body).toMatchObject({ error: { docs: 'https://api.example.com/docs/errors#api_key_missing' } });
});

test('the API description needs no key and contains the public URL or no host', async () => {
  const { status, body } = await gateway.request('/v1/openapi.json');
  expect(status).toBe(200);
  expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/v1' }] });
  const configured = await fixture.gateway({ PUBLIC_URL: 'https://api.example.com/ignored' });
  expect((await configured.request('/v1/openapi.json')).body).toMatchObject({
    servers: [{ url: 'https://api.example.com/v1' }],
  });
});

test('production mode requires the public URL', async () => {
  const settings = { CARECOVER_ENVIRONMENT: 'production', CARECOVER_MODE: 'production' };
  await expect(fixture.gateway(settings)).rejects.toThrow('PUBLIC_URL is not set');
});

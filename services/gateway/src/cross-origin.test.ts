import { AdmissionStore } from './store/admissions';
import { setProject } from './store/projects';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

const APP = 'https://app.example.com';
const OTHER_ORIGIN = 'https://elsewhere.example.com';

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;
let token: string;
let tokenOfOther: string;

async function tokenFor(secret: string): Promise<string> {
  const { body } = await gateway.request('/v1/tokens', {
    key: secret,
    body: { scopes: ['claims:read'], expires_in: 60 },
  });
  return (body as { token: string }).token;
}

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  const project = await fixture.project();
  await setProject(fixture.sql, 'tests', project.project_id, { allowedOrigins: [APP] });
  key = project.secret_key;
  token = await tokenFor(key);
  tokenOfOther = await tokenFor((await fixture.project()).secret_key);
});
afterAll(() => fixture.stop());

function fromPage(origin: string, credential?: string) {
  return gateway.request('/v1/claims', {
    ...(credential === undefined ? {} : { key: credential }),
    headers: { origin },
  });
}

function preflight(
  origin: string,
  headers: Record<string, string> = { 'access-control-request-method': 'GET' },
) {
  return gateway.request('/v1/claims', { method: 'OPTIONS', headers: { origin, ...headers } });
}

test('a preflight succeeds without a key if a project allows the origin', async () => {
  const answer = await preflight(APP);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
  expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
  expect(answer.headers.get('access-control-allow-headers')).toContain('Content-Encoding');
  expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  expect(answer.headers.get('vary')).toContain('Origin');
});

test('a preflight of an unknown origin, or an OPTIONS request that is no preflight, is an ordinary request', async () => {
  for (const answer of [await preflight(OTHER_ORIGIN), await preflight(APP, {})]) {
    expect(codeOf(answer)).toBe('api_key_missing');
    expect(answer.headers.get('access-control-allow-methods')).toBeNull();
  }
});

test('a secret key in a request with an Origin: 403, even if the origin is allowed', async () => {
  for (const origin of [APP, OTHER_ORIGIN, 'null']) {
    const answer = await fromPage(origin, key);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'permission_denied']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('a secret key in a request with an Origin: 403, even for an unknown path or method', async () => {
  for (const [method, path] of [
    ['GET', '/v1/nothing'],
    ['DELETE', '/v1/claims'],
  ] as const) {
    const answer = await gateway.request(path, { method, key, headers: { origin: APP } });
    expect([path, answer.status, codeOf(answer)]).toEqual([path, 403, 'permission_denied']);
  }
});

test('a preflight for the API description succeeds', async () => {
  const answer = await gateway.request('/v1/openapi.json', {
    method: 'OPTIONS',
    headers: { origin: APP, 'access-control-request-method': 'GET' },
  });
  expect(answer.status).toBe(204);
});

test("a token is accepted from its project's origins, and the page can read the response and its headers", async () => {
  const answer = await fromPage(APP, token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
});

test("a token is accepted from the gateway's own pages, and a secret key is not", async () => {
  const own = `https://127.0.0.1:${gateway.port}`;
  expect((await fromPage(own, tokenOfOther)).status).toBe(200);
  for (const [credential, origin] of [
    [key, own],
    [tokenOfOther, `http://127.0.0.1:${gateway.port}`],
    [tokenOfOther, 'https://127.0.0.1:1'],
  ] as const) {
    expect(codeOf(await fromPage(origin, credential))).toBe('permission_denied');
  }
});

test('with a public URL, the own origin does not follow the Host header', async () => {
  const publicGateway = await fixture.gateway({ PUBLIC_URL: 'https://api.example.com' });
  const statuses = ['https://api.example.com', `https://127.0.0.1:${publicGateway.port}`].map(
    async (origin) => (await publicGateway.request('/v1/claims', { key: token, headers: { origin } })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 403]);
});

test('a token is rejected from an origin that only another project allows', async () => {
  for (const answer of [await fromPage(APP, tokenOfOther), await fromPage(OTHER_ORIGIN, token)]) {
    expect([answer.status, codeOf(answer)]).toEqual([403, 'permission_denied']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('a page can read the error of a rejected credential', async () => {
  const answer = await fromPage(APP, 'pt_test_expired');
  expect(codeOf(answer)).toBe('api_key_invalid');
  expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
  expect((await fromPage(OTHER_ORIGIN)).headers.get('access-control-allow-origin')).toBeNull();
});

test('an origin that was removed from the list is rejected on the next request', async () => {
  const project = await fixture.project();
  const removed = 'https://once.example.com';
  await setProject(fixture.sql, 'tests', project.project_id, { allowedOrigins: [removed] });
  const own = await tokenFor(project.secret_key);
  expect((await fromPage(removed, own)).status).toBe(200);
  await setProject(fixture.sql, 'tests', project.project_id, { allowedOrigins: [] });
  expect((await fromPage(removed, own)).status).toBe(403);
  expect(codeOf(await preflight(removed))).toBe('api_key_missing');
});

test('preflights count towards the limit of their address', async () => {
  const limited = await fixture.gateway({ UNAUTHENTICATED_LIMIT: '5' });
  // The gateway counts preflights per minute of the process's clock, so the test stops this clock.
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  const sendPreflight = (address: string) =>
    limited.request('/v1/claims', {
      method: 'OPTIONS',
      headers: { origin: APP, 'access-control-request-method': 'GET', 'x-forwarded-for': address },
    });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) statuses.push((await sendPreflight('198.51.100.7')).status);
  expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429]);
  expect((await sendPreflight('198.51.100.7')).headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await sendPreflight('198.51.100.8')).status).toBe(204);
  clock.mockRestore();
});

test('preflights of an origin that no project allows count towards the same limit, and above it the origin is not looked up', async () => {
  const limited = await fixture.gateway({ UNAUTHENTICATED_LIMIT: '5' });
  const lookup = jest.spyOn(AdmissionStore.prototype, 'isAllowedOrigin');
  // The gateway counts preflights per minute of the process's clock, so the test stops this clock.
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  const statuses: number[] = [];
  const lookups: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    lookup.mockClear();
    const headers = {
      origin: OTHER_ORIGIN,
      'access-control-request-method': 'GET',
      'x-forwarded-for': '198.51.100.9',
    };
    statuses.push((await limited.request('/v1/claims', { method: 'OPTIONS', headers })).status);
    lookups.push(lookup.mock.calls.length);
  }
  clock.mockRestore();
  lookup.mockRestore();
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect(lookups.slice(5)).toEqual([0, 0]);
});

import { connectPostgres } from '@carecover/platform';
import { credentialHash, newCredential, parseCredential } from './credential';
import { AdmissionStore } from './store/admission';
import { revokeKey } from './store/keys';
import { setProject } from './store/projects';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateways: TestGateway[];

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateways = [await fixture.gateway(), await fixture.gateway()];
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => fixture.stop());

/** The minute in which the tests are, in epoch milliseconds, and how far into it. */
const MINUTE_MS = Math.floor(Date.now() / 60_000) * 60_000;
const INTO_IT_MS = 20_000;
beforeEach(() => fixture.database.stopClock(MINUTE_MS + INTO_IT_MS));

async function limited(requestsPerMinute: number) {
  const project = await fixture.project();
  await setProject(fixture.sql, 'tests', project.project_id, { rateLimitPerMinute: requestsPerMinute });
  return project.secret_key;
}

test('two gateways under a burst let through exactly the limit, no more and no less', async () => {
  const key = await limited(100);
  const answers = await Promise.all(
    Array.from({ length: 240 }, (_, index) => gateways[index % 2]?.request('/v1/', { key })),
  );
  expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(100);
  expect(answers.filter((answer) => answer?.status === 429)).toHaveLength(140);
  const remaining = answers
    .filter((answer) => answer?.status === 200)
    .map((answer) => Number(answer?.headers.get('x-ratelimit-remaining')))
    .sort((a, b) => a - b);
  expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test("one project's use takes nothing from another's", async () => {
  const [busy, quiet] = [await limited(1), await limited(1)];
  const [gateway] = gateways;
  await gateway?.request('/v1/', { key: busy });
  const [over, fine] = await Promise.all([busy, quiet].map((key) => gateway?.request('/v1/', { key })));
  expect([over?.status, fine?.status]).toEqual([429, 200]);
});

test('429 tells when to come again, with the three headers', async () => {
  const key = await limited(1);
  await gateways[0]?.request('/v1/', { key });
  const answer = await gateways[1]?.request('/v1/', { key });
  if (answer === undefined) throw new Error('no answer');
  expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited']);
  expect(answer.headers.get('x-ratelimit-limit')).toBe('1');
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(answer.headers.get('x-ratelimit-reset')).toBe(String((MINUTE_MS + 60_000) / 1_000));
  expect(answer.headers.get('retry-after')).toBe('40');
});

test('a new minute begins again', async () => {
  const key = await limited(1);
  await gateways[0]?.request('/v1/', { key });
  expect((await gateways[0]?.request('/v1/', { key }))?.status).toBe(429);
  await fixture.database.stopClock(MINUTE_MS + 60_000);
  expect((await gateways[0]?.request('/v1/', { key }))?.status).toBe(200);
});

test('every answer to an authenticated request carries the three headers and a request id', async () => {
  const { secret_key: key } = await fixture.project();
  const gateway = await fixture.gateway({ CARE_URL: 'http://127.0.0.1:1' });
  const answers = await Promise.all([
    gateway.request('/v1/', { key }),
    gateway.request('/v1/nothing', { key }),
    gateway.request('/v1/', { key, method: 'DELETE' }),
    gateway.request('/v1/claims?limit=0', { key }),
    gateway.request('/v1/practitioners', { key }),
    gateway.request('/v1/tokens', { key, body: '{' }),
    gateway.request('/v1/tokens', { key, body: '{}', headers: { 'content-type': 'text/plain' } }),
    gateway.request('/v1/tokens', { key, body: ' '.repeat(1_100_000) }),
    gateway.request('/v1/', { key, headers: { origin: 'https://example.com' } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 400, 503, 400, 415, 413, 403]);
  for (const { headers } of answers) {
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
    expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    expect(headers.get('x-ratelimit-reset')).toMatch(/^\d+$/);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('a flood without a key is bounded by address, and a known customer behind that address is served on', async () => {
  const gateway = await fixture.gateway({ UNAUTHENTICATED_LIMIT: '5' });
  const { secret_key } = await fixture.project();
  // Addresses are counted by the gateway's own clock; at the end of a minute they begin again.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  expect((await gateway.request('/v1/', { key: secret_key })).status).toBe(200);
  const from = (address: string) => gateway.request('/v1/', { headers: { 'x-forwarded-for': address } });
  const codes = [];
  for (let attempt = 0; attempt < 7; attempt++) codes.push(codeOf(await from('198.51.100.7')));
  expect(codes.slice(0, 5)).toEqual(Array(5).fill('api_key_missing'));
  expect(codes.slice(5)).toEqual(['rate_limited', 'rate_limited']);
  expect(codeOf(await from('198.51.100.8'))).toBe('api_key_missing');
  const customer = await gateway.request('/v1/', {
    key: secret_key,
    headers: { 'x-forwarded-for': '198.51.100.7' },
  });
  expect(customer.status).toBe(200);
});

describe('a gateway without memory of valid credentials, behind whose limit an address is', () => {
  const FLOODED = { 'x-forwarded-for': '198.51.100.9' };
  let gateway: TestGateway;

  beforeEach(async () => {
    gateway = await fixture.gateway({ UNAUTHENTICATED_LIMIT: '5' });
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const unknown = () =>
      gateway.request('/v1/', { key: newCredential('secretKey', 'sandbox'), headers: FLOODED });
    const answers = [];
    for (let attempt = 0; attempt < 7; attempt++) answers.push((await unknown()).status);
    expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test('answers a valid key and a valid token from there', async () => {
    const { secret_key } = await fixture.project();
    const { body } = await gateway.request('/v1/tokens', {
      key: secret_key,
      body: { scopes: ['claims:read'], expires_in: 60 },
    });
    const { token } = body as { token: string };
    const another = await fixture.project();
    for (const key of [token, another.secret_key]) {
      expect((await gateway.request('/v1/', { key, headers: FLOODED })).status).toBe(200);
    }
  });

  test('answers a revoked key from there as an unknown one', async () => {
    const { secret_key, key_id } = await fixture.project();
    await revokeKey(fixture.sql, 'tests', key_id);
    expect((await gateway.request('/v1/', { key: secret_key, headers: FLOODED })).status).toBe(429);
  });
});

test('look-ups for an address behind its limit are few, however many unknown keys it presents', async () => {
  let queries = 0;
  const sql = connectPostgres(fixture.database.url('gateway'), 2, 'test');
  const counted = new Proxy(sql, {
    apply: (target, self, args) => {
      queries += 1;
      return Reflect.apply(target, self, args);
    },
  });
  const store = new AdmissionStore(counted);
  const { hash = Buffer.alloc(32) } = parseCredential((await fixture.project()).secret_key) ?? {};
  const unknown = Array.from({ length: 2_000 }, (_, index) => credentialHash(`unknown ${index}`));
  const answers = await Promise.all([...unknown, hash].map((each) => store.isLive(each)));
  expect(answers.filter((isLive) => isLive)).toHaveLength(1);
  expect(answers.at(-1)).toBe(true);
  expect(queries).toBeLessThan(15);
  await sql.end();
});

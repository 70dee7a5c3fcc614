import { connectPostgres } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import { createCredential, hashCredential, parseCredential } from './credential';
import { AdmissionStore } from './store/admissions';
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

/** The start of a minute in epoch milliseconds. The database's clock is stopped `ELAPSED_MS` after it. */
const MINUTE_MS = Math.floor(Date.now() / 60_000) * 60_000;
const ELAPSED_MS = 20_000;
beforeEach(() => fixture.database.stopClock(MINUTE_MS + ELAPSED_MS));

async function limited(requestsPerMinute: number) {
  const project = await fixture.project();
  await setProject(fixture.sql, 'tests', project.project_id, { rateLimitPerMinute: requestsPerMinute });
  return project.secret_key;
}

test('two gateways admit exactly the limit in a burst of requests', async () => {
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

test('a key and its tokens share the limit, and each request has a count of its own', async () => {
  const [gateway] = gateways;
  if (gateway === undefined) throw new Error('no gateway');
  const key = await limited(100);
  const created = await gateway.request('/v1/tokens', {
    key,
    body: { scopes: ['claims:read'], expires_in: 60 },
  });
  const { token } = created.body as { token: string };
  const credentials = [key, token, key];
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) => gateway.request('/v1/', { key: credentials[index % 3] ?? '' })),
  );
  const remaining = answers
    .filter((answer) => answer?.status === 200)
    .map((answer) => Number(answer?.headers.get('x-ratelimit-remaining')))
    .sort((a, b) => a - b);
  expect(remaining).toEqual(Array.from({ length: 99 }, (_, index) => index));
});

test('the requests of one project do not count for another', async () => {
  const [busy, quiet] = [await limited(1), await limited(1)];
  const [gateway] = gateways;
  await gateway?.request('/v1/', { key: busy });
  const [over, fine] = await Promise.all([busy, quiet].map((key) => gateway?.request('/v1/', { key })));
  expect([over?.status, fine?.status]).toEqual([429, 200]);
});

test('429 has Retry-After and the three rate-limit headers', async () => {
  const key = await limited(1);
  await gateways[0]?.request('/v1/', { key });
  const answer = await gateways[1]?.request('/v1/', { key });
  if (answer === undefined) throw new Error('no response');
  expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited']);
  expect(answer.headers.get('x-ratelimit-limit')).toBe('1');
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(answer.headers.get('x-ratelimit-reset')).toBe(String((MINUTE_MS + 60_000) / 1_000));
  expect(answer.headers.get('retry-after')).toBe('40');
});

test('the count starts again with a new minute', async () => {
  const key = await limited(1);
  await gateways[0]?.request('/v1/', { key });
  expect((await gateways[1]?.request('/v1/', { key }))?.status).toBe(429);
  await fixture.database.stopClock(MINUTE_MS + 60_000);
  expect((await gateways[0]?.request('/v1/', { key }))?.status).toBe(200);
});

describe('a valid key over its limit', () => {
  /** Returns how often the key was looked up while the requests were sent. */
  async function lookups(key: string, requests: number): Promise<number> {
    const admit = jest.spyOn(AdmissionStore.prototype as never, 'admitGroups');
    for (let sent = 0; sent < requests; sent++) {
      const answer = await gateways[0]?.request('/v1/', { key });
      expect([answer?.status, answer?.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
      expect(Number(answer?.headers.get('retry-after'))).toBeLessThanOrEqual(40);
    }
    return admit.mock.calls.length;
  }

  test('costs at most one lookup per second', async () => {
    const key = await limited(1);
    await gateways[0]?.request('/v1/', { key });
    let nowMs = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    expect(await lookups(key, 50)).toBe(1);
    nowMs += 1_001;
    expect(await lookups(key, 50)).toBe(2);
  });

  test('is admitted again within a second after its limit was raised', async () => {
    const { project_id, secret_key: key } = await fixture.project();
    const limit = (rateLimitPerMinute: number) =>
      setProject(fixture.sql, 'tests', project_id, { rateLimitPerMinute });
    await limit(1);
    const ask = async () => (await gateways[0]?.request('/v1/', { key }))?.status;
    expect([await ask(), await ask()]).toEqual([200, 429]);
    await limit(10);
    await eventually('it is admitted', async () => (await ask()) === 200);
  });

  test('gets no answer but 429 and 401 after it was revoked', async () => {
    const { project_id, secret_key: key, key_id } = await fixture.project();
    await setProject(fixture.sql, 'tests', project_id, { rateLimitPerMinute: 1 });
    const ask = async () => (await gateways[0]?.request('/v1/', { key }))?.status;
    expect([await ask(), await ask()]).toEqual([200, 429]);
    await revokeKey(fixture.sql, 'tests', key_id);
    await eventually('it is unknown', async () => {
      const status = await ask();
      expect([429, 401]).toContain(status);
      return status === 401;
    });
  });
});

test('every response to an authenticated request has the three headers and a request ID', async () => {
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

test('requests without a key are limited per address, and a recently valid key behind that address is not limited', async () => {
  const gateway = await fixture.gateway({ UNAUTHENTICATED_LIMIT: '5' });
  const { secret_key } = await fixture.project();
  // The gateway counts per minute of the process's clock, so the test stops this clock.
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

describe('a gateway that has seen no valid credential, for an address at its limit,', () => {
  const LIMITED_ADDRESS = { 'x-forwarded-for': '198.51.100.9' };
  let gateway: TestGateway;

  beforeEach(async () => {
    gateway = await fixture.gateway({ UNAUTHENTICATED_LIMIT: '5' });
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const sendUnknownKey = () =>
      gateway.request('/v1/', { key: createCredential('secretKey', 'sandbox'), headers: LIMITED_ADDRESS });
    const answers = [];
    for (let attempt = 0; attempt < 7; attempt++) answers.push((await sendUnknownKey()).status);
    expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test('admits a valid key and a valid token', async () => {
    const { secret_key } = await fixture.project();
    const { body } = await gateway.request('/v1/tokens', {
      key: secret_key,
      body: { scopes: ['claims:read'], expires_in: 60 },
    });
    const { token } = body as { token: string };
    const another = await fixture.project();
    for (const key of [token, another.secret_key]) {
      expect((await gateway.request('/v1/', { key, headers: LIMITED_ADDRESS })).status).toBe(200);
    }
  });

  test('rejects a revoked key like an unknown one', async () => {
    const { secret_key, key_id } = await fixture.project();
    await revokeKey(fixture.sql, 'tests', key_id);
    expect((await gateway.request('/v1/', { key: secret_key, headers: LIMITED_ADDRESS })).status).toBe(429);
  });
});

test('lookups for many unknown keys of an address at its limit need few queries', async () => {
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
  const unknown = Array.from({ length: 2_000 }, (_, index) => hashCredential(`unknown ${index}`));
  const answers = await Promise.all([...unknown, hash].map((each) => store.isValid(each)));
  expect(answers.filter((isValid) => isValid)).toHaveLength(1);
  expect(answers.at(-1)).toBe(true);
  expect(queries).toBeLessThan(15);
  await sql.end();
});

import { createKey } from './operator/keys';
import { setProject } from './operator/projects';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
});
afterAll(() => fixture.stop());

/** A request that fails every check; each test mends what the checks before its own look at. */
const hopeless = {
  method: 'POST',
  body: `{"a":1,"a":2}${' '.repeat(1_100_000)}`,
  headers: { 'x-forwarded-proto': 'http', 'content-type': 'text/plain' },
};
const path = '/v1/claims/not-an-id/evidence';
const overHttps = { ...hopeless.headers, 'x-forwarded-proto': 'https' };

test('https comes first, whatever key is presented', async () => {
  const { secret_key } = await fixture.project();
  for (const key of [undefined, 'sk_test_bad', secret_key]) {
    const answer = await gateway.request(path, { ...hopeless, ...(key === undefined ? {} : { key }) });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'https_required']);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    expect(answer.headers.get('location')).toBeNull();
  }
  for (const open of ['/docs/errors', '/v1/openapi.json', '/elsewhere']) {
    expect(codeOf(await gateway.request(open, { headers: { 'x-forwarded-proto': 'http' } }))).toBe(
      'https_required',
    );
  }
});

test('then the key, then the rate limit, then the scope, then the form', async () => {
  const { project_id } = await fixture.project();
  const { secret_key: key } = await createKey(fixture.sql, 'tests', project_id, ['practitioners:read']);
  const code = async (options: object) => codeOf(await gateway.request(path, { ...hopeless, ...options }));
  expect(await code({ headers: overHttps })).toBe('api_key_missing');
  await setProject(fixture.sql, 'tests', project_id, { rateLimitPerMinute: 1 });
  await fixture.sql`
    insert into gateway.request_counts (project_id, minute, used)
    select ${project_id}, date_trunc('minute', platform.now()) + n * interval '1 minute', 1 from generate_series(0, 1) n`;
  expect(await code({ key, headers: overHttps })).toBe('rate_limited');
  await setProject(fixture.sql, 'tests', project_id, { rateLimitPerMinute: 1_000 });
  expect(await code({ key, headers: overHttps })).toBe('permission_denied');
});

test('the form: size, then type, then syntax, then path, then headers, then the body', async () => {
  const key = await fixture.keyWith('claims:write');
  const ask = async (options: object, at = path) => {
    const answer = await gateway.request(at, { ...hopeless, key, headers: overHttps, ...options });
    return [codeOf(answer), (answer.body as { error: { message: string } }).error.message.split(' ')[0]];
  };
  const json = { 'content-type': 'application/json' };
  const good = '/v1/claims/clm_1/evidence';
  const named = { ...json, 'idempotency-key': '12345678' };
  expect((await ask({}))[0]).toBe('payload_too_large');
  expect(await ask({ body: '{"a":1,"a":2}' })).toEqual(['unsupported_media_type', '/headers/Content-Type']);
  expect(await ask({ body: '{"a":1,"a":2}', headers: json })).toEqual(['validation_failed', '/a']);
  expect(await ask({ body: '{}', headers: json })).toEqual(['validation_failed', '/path/claim_id']);
  expect(await ask({ body: '{}', headers: json }, good)).toEqual([
    'validation_failed',
    '/headers/Idempotency-Key',
  ]);
  expect(await ask({ body: '{}', headers: named }, good)).toEqual([
    'validation_failed',
    '/information_request_id',
  ]);
});

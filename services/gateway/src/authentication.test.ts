import { type GrantedScope, scopesOfBulkJobKinds } from '@carecover/contract';
import { createCredential } from './credential';
import { createKey, revokeKey, rotateKey } from './store/keys';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;
let other: TestGateway;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  other = await fixture.gateway();
});
afterAll(() => fixture.stop());

test('a valid key is admitted in either header and on either spelling of the root', async () => {
  const { secret_key } = await fixture.project();
  const answers = await Promise.all([
    gateway.request('/v1', { key: secret_key }),
    gateway.request('/v1/', { key: secret_key }),
    gateway.request('/v1/', { headers: { 'x-api-key': secret_key } }),
    gateway.request('/v1/', { key: secret_key, headers: { 'x-api-key': secret_key } }),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      object: 'api',
      version: 'v1',
      environment: 'sandbox',
      resources: expect.arrayContaining(['practitioners', 'webhook_endpoints']),
    });
  }
});

const basic = (userinfo: string) => ({
  authorization: `Basic ${Buffer.from(userinfo).toString('base64')}`,
});

test('a key as the user name of HTTP Basic is admitted with the same limit, scopes and revocation as a bearer token', async () => {
  const { project_id, secret_key } = await fixture.project();
  const narrow = await createKey(fixture.sql, 'tests', project_id, ['claims:read']);
  const remaining = async (options: Parameters<TestGateway['request']>[1]) => {
    const answer = await gateway.request('/v1/', options);
    expect(answer.status).toBe(200);
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };
  const before = await remaining({ key: secret_key });
  // After the second request one request fewer remains. If a new minute starts between the two, the count starts from zero, and 999 of
  // 1,000 remain.
  expect([before - 1, 999]).toContain(await remaining({ headers: basic(`${secret_key}:`) }));
  const rejected = await gateway.request('/v1/practitioners', { headers: basic(`${narrow.secret_key}:`) });
  expect([rejected.status, codeOf(rejected)]).toEqual([403, 'permission_denied']);
  await revokeKey(fixture.sql, 'tests', narrow.key_id);
  for (const each of [gateway, other]) {
    const revoked = await each.request('/v1/claims', { headers: basic(`${narrow.secret_key}:`) });
    expect([revoked.status, codeOf(revoked)]).toEqual([401, 'api_key_invalid']);
    expect(revoked.headers.get('www-authenticate')).toBe('Bearer realm="carecover", error="invalid_token"');
  }
});

test('without a key: 401 api_key_missing with the challenge invalid_request', async () => {
  const answer = await gateway.request('/v1/practitioners');
  expect([answer.status, codeOf(answer)]).toEqual([401, 'api_key_missing']);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="carecover", error="invalid_request"');
  expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
});

test('every kind of invalid key gets the same response: 401 api_key_invalid with the challenge invalid_token', async () => {
  const { secret_key, key_id } = await fixture.project();
  const production = await fixture.project('production');
  const revoked = await fixture.project();
  await revokeKey(fixture.sql, 'tests', revoked.key_id);
  await rotateKey(fixture.sql, 'tests', key_id);
  const answers = await Promise.all([
    gateway.request('/v1/', { key: 'sk_test_malformed' }),
    gateway.request('/v1/', { key: createCredential('secretKey', 'sandbox') }),
    gateway.request('/v1/', { key: createCredential('token', 'sandbox') }),
    gateway.request('/v1/', { key: production.secret_key }),
    gateway.request('/v1/', { key: revoked.secret_key }),
    gateway.request('/v1/', { key: secret_key }),
  ]);
  for (const answer of answers) {
    expect([answer.status, codeOf(answer)]).toEqual([401, 'api_key_invalid']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="carecover", error="invalid_token"');
    expect(answer.text).toBe(answers[0]?.text);
  }
});

test('malformed headers and two different keys get 401 api_key_invalid, and the message says how to present one key', async () => {
  const { secret_key } = await fixture.project();
  const answers = await Promise.all([
    gateway.request('/v1/', { headers: basic('user:pass') }),
    gateway.request('/v1/', { headers: basic(`${secret_key}:password`) }),
    gateway.request('/v1/', { headers: { authorization: 'Basic not-base64!' } }),
    gateway.request('/v1/', { headers: { authorization: `Digest ${secret_key}` } }),
    ...[{ authorization: `Bearer ${secret_key}` }, basic(`${secret_key}:`)].map((authorization) =>
      gateway.request('/v1/', {
        headers: { ...authorization, 'x-api-key': createCredential('secretKey', 'sandbox') },
      }),
    ),
  ]);
  for (const answer of answers) {
    expect([answer.status, codeOf(answer)]).toEqual([401, 'api_key_invalid']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="carecover", error="invalid_token"');
    expect(answer.text).toContain('exactly one API key');
    expect(answer.text).not.toContain(secret_key);
    expect(answer.text).toBe(answers[0]?.text);
  }
});

test('a production gateway accepts only production keys', async () => {
  const live = await fixture.productionGateway();
  const production = await fixture.project('production');
  const sandbox = await fixture.project();
  expect((await live.request('/v1/', { key: production.secret_key })).body).toMatchObject({
    environment: 'production',
  });
  expect(codeOf(await live.request('/v1/', { key: sandbox.secret_key }))).toBe('api_key_invalid');
});

test('a rotation or revocation takes effect on the next request to every gateway', async () => {
  const { secret_key, key_id } = await fixture.project();
  const statusesOfBoth = async (key: string) =>
    (await Promise.all([gateway, other].map((each) => each.request('/v1/', { key })))).map(
      ({ status }) => status,
    );
  expect(await statusesOfBoth(secret_key)).toEqual([200, 200]);
  const rotated = await rotateKey(fixture.sql, 'tests', key_id);
  expect(await statusesOfBoth(secret_key)).toEqual([401, 401]);
  expect(await statusesOfBoth(rotated.secret_key)).toEqual([200, 200]);
  await revokeKey(fixture.sql, 'tests', key_id);
  expect(await statusesOfBoth(rotated.secret_key)).toEqual([401, 401]);
});

test('a key that lacks the scope: 403 permission_denied with the rate-limit headers; the wildcard has every scope', async () => {
  const { project_id, secret_key } = await fixture.project();
  const narrow = await createKey(fixture.sql, 'tests', project_id, ['claims:read']);
  const rejected = await gateway.request('/v1/practitioners', { key: narrow.secret_key });
  expect([rejected.status, codeOf(rejected)]).toEqual([403, 'permission_denied']);
  expect(rejected.headers.get('x-ratelimit-limit')).toBe('1000');
  expect((await gateway.request('/v1/claims', { key: narrow.secret_key })).status).toBe(200);
  expect((await gateway.request('/v1/practitioners', { key: secret_key })).status).toBe(200);
  expect((await gateway.request('/v1/', { key: narrow.secret_key })).status).toBe(200);
});

test('bulk jobs admit a key with the scope of a kind, and the message to another key names them', async () => {
  const { project_id } = await fixture.project();
  const admitted = async (scope: GrantedScope) => {
    const { secret_key } = await createKey(fixture.sql, 'tests', project_id, [scope]);
    const { status, body } = await gateway.request('/v1/bulk_jobs', { key: secret_key });
    return status === 200 ? 200 : [status, (body as { error: { message: string } }).error.message];
  };
  expect(await admitted('claims:read')).toEqual([
    403,
    `This operation requires one of the scopes ${Object.values(scopesOfBulkJobKinds).join(', ')}.`,
  ]);
  for (const scope of Object.values(scopesOfBulkJobKinds))
    expect([scope, await admitted(scope)]).toEqual([scope, 200]);
});

test('no secret is stored: the database contains only hashes of keys', async () => {
  const { secret_key } = await fixture.project();
  const rows = await fixture.sql`select row_to_json(k)::text as text from gateway.keys k`;
  const log = await fixture.sql`select row_to_json(a)::text as text from gateway.audit_log a`;
  expect(JSON.stringify([...rows, ...log])).not.toContain(secret_key.slice(8));
});

test('while the database is unavailable, a request with a key gets 503 with Retry-After', async () => {
  const isolated = await fixture.gateway({ DATABASE_URL: 'postgres://gateway:test@127.0.0.1:1/none' });
  const answer = await isolated.request('/v1/', { key: createCredential('secretKey', 'sandbox') });
  expect([answer.status, codeOf(answer)]).toEqual([503, 'service_unavailable']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(codeOf(await isolated.request('/v1/'))).toBe('api_key_missing');
});

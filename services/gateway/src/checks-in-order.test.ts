import { createKey } from './store/keys';
import { setProject } from './store/projects';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
});
afterAll(() => fixture.stop());

/** A request that every check rejects. Each test corrects the parts that the checks before the tested check reject. */
const invalidRequest = {
  method: 'POST',
  body: `{"a":1,"a":2}${' '.repeat(1_100_000)}`,
  headers: { 'x-forwarded-proto': 'http', 'content-type': 'text/plain' },
};
const path = '/v1/claims/not-an-id/evidence';
const overHttps = { ...invalidRequest.headers, 'x-forwarded-proto': 'https' };

test('https is checked first, with any key', async () => {
  const { secret_key } = await fixture.project();
  for (const key of [undefined, 'sk_test_bad', secret_key]) {
    const answer = await gateway.request(path, { ...invalidRequest, ...(key === undefined ? {} : { key }) });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'https_required']);
    // A key that was sent over plain http is disclosed.
    expect(answer.body).toMatchObject({
      error: {
        message: `This API accepts https only.${key === undefined ? '' : ' The key of this request was sent unencrypted, over plain http: rotate it.'}`,
      },
    });
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    expect(answer.headers.get('location')).toBeNull();
  }
  for (const publicPath of ['/docs/errors', '/v1/openapi.json', '/elsewhere']) {
    expect(codeOf(await gateway.request(publicPath, { headers: { 'x-forwarded-proto': 'http' } }))).toBe(
      'https_required',
    );
  }
});

test('the key, the rate limit, the scope and the form are checked in this order', async () => {
  const { project_id } = await fixture.project();
  const narrowKey = async () =>
    (await createKey(fixture.sql, 'tests', project_id, ['practitioners:read'])).secret_key;
  const code = async (options: object) =>
    codeOf(await gateway.request(path, { ...invalidRequest, ...options }));
  expect(await code({ headers: overHttps })).toBe('api_key_missing');
  await fixture.exhaustLimit(project_id);
  expect(await code({ key: await narrowKey(), headers: overHttps })).toBe('rate_limited');
  await setProject(fixture.sql, 'tests', project_id, { rateLimitPerMinute: 1_000 });
  expect(await code({ key: await narrowKey(), headers: overHttps })).toBe('permission_denied');
});

test('the form: size, then type, then path, query, headers and body together', async () => {
  const key = await fixture.keyWith('claims:write');
  const send = async (options: object, at = path) => {
    const answer = await gateway.request(at, { ...invalidRequest, key, headers: overHttps, ...options });
    return [codeOf(answer), (answer.body as { error: { message: string } }).error.message.split(' ')[0]];
  };
  const json = { 'content-type': 'application/json' };
  const validPath = '/v1/claims/clm_1/evidence';
  const withKey = { ...json, 'idempotency-key': '12345678' };
  expect((await send({}))[0]).toBe('payload_too_large');
  expect(await send({ body: '{"a":1,"a":2}' })).toEqual(['unsupported_media_type', '/headers/Content-Type']);
  const problemsOf = async (options: object, at = path) => {
    const answer = await gateway.request(at, { ...invalidRequest, key, ...options });
    expect(codeOf(answer)).toBe('validation_failed');
    const { message } = (answer.body as { error: { message: string } }).error;
    return message.replace(/\.$/, '').split('; ');
  };
  expect(
    await problemsOf({ body: '{"a":1,"a":2,"evidence_refs":[]}', headers: json }, `${path}?b=1`),
  ).toEqual([
    '/path/claim_id must match ^clm_[A-Za-z0-9_-]+$',
    '/query/b is not known here',
    '/headers/Idempotency-Key is required',
    '/a is given twice',
    '/information_request_id is required',
    '/evidence_refs must have at least 1 item',
  ]);
  expect(await problemsOf({ body: '{', headers: json }, validPath)).toEqual([
    '/headers/Idempotency-Key is required',
    'The body must be JSON: it ends too early',
  ]);
  expect(await problemsOf({ body: '{}', headers: withKey }, validPath)).toEqual([
    '/information_request_id is required',
    '/evidence_refs is required',
  ]);
});

test('the resources of a token are checked before the body is read', async () => {
  const { secret_key } = await fixture.project();
  const created = await gateway.request('/v1/tokens', {
    key: secret_key,
    body: { scopes: ['*'], expires_in: 60, resource_ids: ['clm_mine'] },
  });
  const key = (created.body as { token: string }).token;
  const code = async (at: string) =>
    codeOf(await gateway.request(at, { ...invalidRequest, key, headers: overHttps }));
  expect(await code('/v1/claims')).toBe('permission_denied');
  expect(await code('/v1/claims/clm_other/evidence')).toBe('resource_not_found');
  expect(await code('/v1/claims/clm_mine/evidence')).toBe('payload_too_large');
});

test('a query of more than fifty parameters is one problem beside those of the other parts, and is read once', async () => {
  const key = await fixture.keyWith('claims:write');
  const searches = jest.spyOn(URLSearchParams.prototype, 'getAll');
  for (const query of ['a&'.repeat(7_500), Array.from({ length: 51 }, (_, index) => `p${index}`).join('&')]) {
    const answer = await gateway.request(`${path}?${query}`, { method: 'POST', key, body: {} });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'validation_failed']);
    expect((answer.body as { error: { message: string } }).error.message.split('; ').slice(0, 3)).toEqual([
      '/path/claim_id must match ^clm_[A-Za-z0-9_-]+$',
      '/query must have at most 50 parameters',
      '/headers/Idempotency-Key is required',
    ]);
  }
  expect(searches).not.toHaveBeenCalled();
  searches.mockRestore();
});

test('one 400 names every invalid field of path, query, headers and body, with a JSON pointer and what was expected', async () => {
  const key = await fixture.keyWith('bookings:write', 'claims:write');
  const message = async (at: string, body: object) => {
    const answer = await gateway.request(at, {
      method: 'POST',
      key,
      headers: { ...overHttps, 'content-type': 'application/json', 'idempotency-key': 'short' },
      body: JSON.stringify(body),
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'validation_failed']);
    return (answer.body as { error: { message: string } }).error.message
      .replace(/\.$/, '')
      .split('; ')
      .sort();
  };
  expect(
    await message('/v1/claims/not-an-id/evidence?page=2&limit=0', { evidence_refs: ['7'], more: 1 }),
  ).toEqual([
    '/evidence_refs/0 must have at least 3 characters and must match ^[A-Za-z][A-Za-z0-9:_-]+$',
    '/headers/Idempotency-Key must have at least 8 characters',
    '/information_request_id is required',
    '/more is not known here',
    '/path/claim_id must match ^clm_[A-Za-z0-9_-]+$',
    '/query/limit is not known here',
    '/query/page is not known here',
  ]);
  const times = { starts_at: '2027-03-01T10:00:00Z', ends_at: '2027-03-01T09:00:00Z' };
  const booking = { ...times, practitioner_id: 'prc_1', format: 7, payment_source: 'self_pay' };
  expect(await message('/v1/bookings?page=2', booking)).toEqual([
    '/ends_at must be after starts_at',
    '/format must be one of "online", "in_person", "phone"',
    '/headers/Idempotency-Key must have at least 8 characters',
    '/query/page is not known here',
  ]);
});

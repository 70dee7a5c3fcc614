import { validateOutput } from '@carecover/contract';
import { createKey, revokeKey, rotateKey } from './store/keys';
import { type Answer, codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
});
afterAll(() => fixture.stop());

function createToken(key: string, input: object): Promise<Answer> {
  return gateway.request('/v1/tokens', { key, body: { expires_in: 60, ...input } });
}

function tokenOf({ body }: Answer): string {
  return (body as { token: string }).token;
}

test('a token has only its own scopes, not all scopes of its key', async () => {
  const key = await fixture.keyWith('claims:read', 'practitioners:read');
  const created = await createToken(key, { scopes: ['claims:read'] });
  expect(created.status).toBe(201);
  expect(validateOutput('createToken', 201, created.body)).toBeUndefined();
  expect(tokenOf(created)).toMatch(/^pt_test_/);
  const token = tokenOf(created);
  expect((await gateway.request('/v1/claims', { key: token })).status).toBe(200);
  expect((await gateway.request('/v1/', { key: token })).status).toBe(200);
  expect(codeOf(await gateway.request('/v1/practitioners', { key: token }))).toBe('permission_denied');
});

test('a token can have no scope that its key lacks; a wildcard key has every scope', async () => {
  const key = await fixture.keyWith('claims:read');
  const rejected = await createToken(key, { scopes: ['claims:read', 'claims:write'] });
  expect([rejected.status, codeOf(rejected)]).toEqual([400, 'validation_failed']);
  expect(rejected.text).toContain('/scopes/1');
  expect((await createToken(key, { scopes: ['*'] })).status).toBe(400);
  expect((await createToken((await fixture.project()).secret_key, { scopes: ['claims:write'] })).status).toBe(
    201,
  );
});

test.each([
  [{ scopes: [] }],
  [{ scopes: ['nothing:read'] }],
  [{ scopes: ['claims:read'], expires_in: 59 }],
  [{ scopes: ['claims:read'], expires_in: 3601 }],
  [{ scopes: ['claims:read'], resource_ids: ['nonsense'] }],
  [{ scopes: ['claims:read'], more: true }],
])('%j is rejected: 400', async (input) => {
  expect(codeOf(await createToken((await fixture.project()).secret_key, input))).toBe('validation_failed');
});

test('a token cannot create a token', async () => {
  const { secret_key } = await fixture.project();
  const token = tokenOf(await createToken(secret_key, { scopes: ['*'] }));
  expect(codeOf(await createToken(token, { scopes: ['claims:read'] }))).toBe('permission_denied');
});

test('two requests with the same Idempotency-Key create two tokens', async () => {
  const { secret_key: key } = await fixture.project();
  const send = () =>
    gateway.request('/v1/tokens', {
      key,
      body: { scopes: ['*'], expires_in: 60 },
      headers: { 'idempotency-key': 'the-same-key' },
    });
  expect(tokenOf(await send())).not.toBe(tokenOf(await send()));
});

test('a token is invalid on the next request after the rotation or revocation of its key', async () => {
  const { project_id } = await fixture.project();
  const key = await createKey(fixture.sql, 'tests', project_id, ['*']);
  const status = async (token: string) => (await gateway.request('/v1/', { key: token })).status;
  const first = tokenOf(await createToken(key.secret_key, { scopes: ['*'] }));
  expect(await status(first)).toBe(200);
  const rotated = await rotateKey(fixture.sql, 'tests', key.key_id);
  expect(await status(first)).toBe(401);
  const second = tokenOf(await createToken(rotated.secret_key, { scopes: ['*'] }));
  expect(await status(second)).toBe(200);
  await revokeKey(fixture.sql, 'tests', key.key_id);
  expect(await status(second)).toBe(401);
});

test('a token is invalid after its expiry', async () => {
  const { secret_key } = await fixture.project();
  const token = tokenOf(await createToken(secret_key, { scopes: ['*'], expires_in: 60 }));
  await fixture.database.setClockOffset(61_000);
  const late = await gateway.request('/v1/', { key: token });
  await fixture.database.setClockOffset(0);
  expect([late.status, codeOf(late)]).toEqual([401, 'api_key_invalid']);
});

test('a token that is narrowed to resources has access to these only; others are 404', async () => {
  const { secret_key } = await fixture.project();
  const token = tokenOf(await createToken(secret_key, { scopes: ['*'], resource_ids: ['clm_mine'] }));
  const request = (path: string, body?: object) =>
    gateway.request(path, { key: token, ...(body && { body }), headers: { 'idempotency-key': '12345678' } });
  expect((await request('/v1/claims/clm_mine')).status).toBe(200);
  expect((await request('/v1/claims')).status).toBe(200);
  expect(fixture.upstream.received.at(-1)?.caller?.resourceIds).toEqual(['clm_mine']);
  const before = fixture.upstream.received.length;
  expect(codeOf(await request('/v1/claims/clm_other'))).toBe('resource_not_found');
  expect(codeOf(await request('/v1/claims/clm_other/cancellations', { reason_code: 'mistake' }))).toBe(
    'resource_not_found',
  );
  expect(codeOf(await request('/v1/bookings', {}))).toBe('permission_denied');
  expect(codeOf(await request('/v1/consents', {}))).toBe('permission_denied');
  expect(fixture.upstream.received.length).toBe(before);
});

test('a token that is narrowed to no resources has access to none', async () => {
  const { secret_key } = await fixture.project();
  const token = tokenOf(await createToken(secret_key, { scopes: ['*'], resource_ids: [] }));
  expect(codeOf(await gateway.request('/v1/claims/clm_any', { key: token }))).toBe('resource_not_found');
});

/** Tests of the OAuth token endpoint: what it grants, to whom, and its errors in the form of RFC 6749. */
import { GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
});
afterAll(() => fixture.stop());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const grant = (form: Record<string, string> | string, headers: Record<string, string> = {}) =>
  gateway.request('/v1/oauth/token', {
    body: new URLSearchParams(form).toString(),
    headers: { ...FORM, ...headers },
  });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const CLIENT = { grant_type: 'client_credentials', client_id: 'agent' };

test('a key is exchanged for a token with the requested scopes, which the API accepts', async () => {
  const key = await fixture.keyWith('claims:read', 'bookings:read');
  const { status, headers, body } = await grant({
    ...CLIENT,
    client_secret: key,
    scope: 'claims:read claims:write',
  });
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^pt_test_/),
    token_type: 'Bearer',
    expires_in: 3_600,
    scope: 'claims:read',
  });
  const { access_token } = body as { access_token: string };
  const read = (path: string) => gateway.request(path, { key: access_token });
  expect((await read('/v1/claims')).status).toBe(200);
  expect((await read('/v1/bookings')).status).toBe(403);
});

test('without a scope the token has all scopes of the key, and Basic presents the client too', async () => {
  const key = await fixture.keyWith('claims:read', 'bookings:read');
  const { status, body } = await grant({ grant_type: 'client_credentials' }, basic('agent', key));
  expect([status, (body as { scope: string }).scope]).toEqual([200, 'claims:read bookings:read']);
});

test.each([
  ['a wrong secret', { ...CLIENT, client_secret: 'sk_test_wrong' }, {}, 401, 'invalid_client'],
  ['no secret', CLIENT, {}, 401, 'invalid_client'],
  ['a scope that the key lacks', { ...CLIENT, scope: 'claims:write' }, {}, 400, 'invalid_scope'],
  ['an unknown scope', { ...CLIENT, scope: 'everything' }, {}, 400, 'invalid_scope'],
  ['another grant', { ...CLIENT, grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
  ['another resource', { ...CLIENT, resource: 'https://evil.example/v1/mcp' }, {}, 400, 'invalid_target'],
  ['a key from a browser', CLIENT, { origin: 'https://evil.example' }, 403, 'unauthorized_client'],
])('%s is rejected', async (name, form, headers, status, error) => {
  const key = await fixture.keyWith('claims:read');
  const secret = name.includes('secret') ? {} : { client_secret: key };
  const answer = await grant({ ...secret, ...form }, headers);
  expect([answer.status, answer.body]).toEqual([status, { error, error_description: expect.any(String) }]);
  expect(answer.text).not.toContain(key);
});

test('two ways to present the client, a repeated parameter, a token and a JSON body are rejected', async () => {
  const key = await fixture.keyWith('claims:read');
  const twice = await grant({ ...CLIENT, client_secret: key }, basic('agent', key));
  expect([twice.status, twice.body]).toMatchObject([401, { error: 'invalid_client' }]);
  const repeated = await grant(`grant_type=client_credentials&scope=a&scope=b&client_secret=${key}`);
  expect([repeated.status, repeated.body]).toMatchObject([400, { error: 'invalid_request' }]);
  const { access_token } = (await grant({ ...CLIENT, client_secret: key })).body as { access_token: string };
  const token = await grant({ ...CLIENT, client_secret: access_token });
  expect([token.status, token.body]).toMatchObject([403, { error: 'unauthorized_client' }]);
  const json = await gateway.request('/v1/oauth/token', { body: CLIENT });
  expect([json.status, json.body]).toMatchObject([415, { error: 'invalid_request' }]);
});

test('the metadata names the endpoint, and the MCP endpoint names this server', async () => {
  const { body } = await gateway.request('/.well-known/oauth-authorization-server');
  const { issuer, token_endpoint } = body as { issuer: string; token_endpoint: string };
  expect(token_endpoint).toBe(`${issuer}/v1/oauth/token`);
  const resource = await gateway.request('/.well-known/oauth-protected-resource/v1/mcp');
  expect(resource.body).toMatchObject({ authorization_servers: [issuer], resource: `${issuer}/v1/mcp` });
});

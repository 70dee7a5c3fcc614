/** Uploads: a file is forwarded while it arrives, with its media type, and neither parsed nor held by the gateway. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { eventually } from '@carecover/testing/servers';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

const PATH = '/v1/bulk_jobs?kind=claims';
const NDJSON = 'application/x-ndjson';
const MEBIBYTE = 1024 * 1024;

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  key = (await fixture.project()).secret_key;
});
afterAll(() => fixture.stop());
afterEach(() => {
  fixture.upstream.respond = undefined;
});

const received = () => fixture.upstream.received.at(-1);

/** Sends a file. @param headers replace or add headers */
async function upload(
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  path = PATH,
  secretKey = key,
) {
  const response = await fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: {
      'x-forwarded-proto': 'https',
      authorization: `Bearer ${secretKey}`,
      'content-type': NDJSON,
      'idempotency-key': crypto.randomUUID(),
      ...headers,
    },
    body: content as BodyInit,
  });
  const text = await response.text();
  return { status: response.status, code: JSON.parse(text).error?.code ?? null, text };
}

test('the service receives the bytes of a file that is larger than any other body, with its media type and encoding', async () => {
  const plain = Buffer.alloc(8 * MEBIBYTE, '{"a":1}\n');
  expect((await upload(plain)).status).toBe(200);
  expect(received()?.headers).toMatchObject({ 'content-type': NDJSON, 'content-encoding': 'identity' });
  expect(received()?.body.equals(plain)).toBe(true);
  const packed = gzipSync('a,b\n');
  expect(
    (await upload(packed, { 'content-type': 'text/csv; charset=utf-8', 'content-encoding': 'gzip' })).status,
  ).toBe(200);
  expect(received()?.headers).toMatchObject({ 'content-type': 'text/csv', 'content-encoding': 'gzip' });
  expect(received()?.body.equals(packed)).toBe(true);
});

test('a file of another type or encoding, no file, and an invalid query are rejected before the service is called', async () => {
  const before = fixture.upstream.received.length;
  const codes = [
    await upload('{}', { 'content-type': 'application/json' }),
    await upload('{}', { 'content-encoding': 'br' }),
    await upload(''),
    await upload('{}', {}, '/v1/bulk_jobs?kind=everything'),
    await upload('{}', { 'idempotency-key': 'short' }),
  ].map(({ code }) => code);
  expect(codes).toEqual([
    'unsupported_media_type',
    'unsupported_media_type',
    'validation_failed',
    'validation_failed',
    'validation_failed',
  ]);
  expect(fixture.upstream.received.length).toBe(before);
});

test('a declared length above the limit is rejected before the file is read', async () => {
  const request = httpRequest(`${gateway.origin}${PATH}`, {
    method: 'POST',
    headers: {
      'x-forwarded-proto': 'https',
      authorization: `Bearer ${key}`,
      'content-type': NDJSON,
      'idempotency-key': crypto.randomUUID(),
      'content-length': 100 * MEBIBYTE + 1,
    },
  });
  request.on('error', () => undefined).flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(413);
  request.destroy();
});

test('the service learns the scopes of the key, and a key without the scope of any kind is rejected', async () => {
  const writer = await fixture.keyWith('claims:write');
  expect((await upload('{}\n', {}, PATH, writer)).status).toBe(200);
  expect(fixture.upstream.received.at(-1)?.caller?.scopes).toEqual(['claims:write']);
  const reader = await fixture.keyWith('claims:read');
  const rejected = await upload('{}\n', {}, PATH, reader);
  expect([rejected.status, rejected.code]).toEqual([403, 'permission_denied']);
  expect(rejected.text).toContain('one of the scopes claims:write, claims:adjudicate');
});

test('the response of a service that reads no further is sent to the client', async () => {
  fixture.upstream.respond = (_received, response) =>
    response
      .writeHead(413, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { code: 'payload_too_large', message: 'Too many lines.', docs: '' } }));
  const answer = await gateway.request('/v1/claims', { key });
  expect(codeOf(answer)).toBe('payload_too_large');
  expect((await upload(Buffer.alloc(2 * MEBIBYTE, '{}\n'))).code).toBe('payload_too_large');
});

test('a file whose client disappears does not reach the service as a complete one', async () => {
  const before = fixture.upstream.received.length;
  const request = httpRequest(`${gateway.origin}${PATH}`, {
    method: 'POST',
    headers: {
      'x-forwarded-proto': 'https',
      authorization: `Bearer ${key}`,
      'content-type': NDJSON,
      'idempotency-key': crypto.randomUUID(),
    },
  });
  request.on('error', () => undefined);
  request.write('{"a":1}\n');
  await new Promise((resolve) => setTimeout(resolve, 200));
  request.destroy();
  await eventually('the gateway serves others', async () => (await upload('{}\n')).status === 200);
  expect(fixture.upstream.received.length).toBe(before + 1);
});

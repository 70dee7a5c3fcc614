/**
 * Attacks the guarantee that a request is unambiguous: sends a header several times with different values, of which a proxy could use one
 * and the gateway another.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { GatewayFixture, type TestGateway } from '@carecover/gateway/testing';

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;
let otherKey: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  key = (await fixture.project()).secret_key;
  otherKey = (await fixture.project()).secret_key;
});
afterAll(() => fixture.stop());

const body = '{"member_reference":"m:1","status":"granted"}';
const usual = (): Record<string, string> => ({
  Host: 'api.example.com',
  'X-Forwarded-Proto': 'https',
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
  'Idempotency-Key': 'key-00001',
  'Content-Length': String(body.length),
  Connection: 'close',
});

/**
 * Sends a valid request with the given additional header lines. Returns the HTTP status, and the code and message of the API error; both
 * are empty without an API error.
 */
async function send(...more: string[]): Promise<{ status: number; code: string; message: string }> {
  const socket = connect(gateway.port, '127.0.0.1');
  const lines = [...Object.entries(usual()).map(([name, value]) => `${name}: ${value}`), ...more];
  socket.write(`POST /v1/consents HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  const response = await text(socket);
  const { error } = JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4));
  return { status: Number(response.split(' ')[1]), code: error?.code ?? '', message: error?.message ?? '' };
}

test.each([
  ['Idempotency-Key', 'key-00002'],
  ['Idempotency-Key', 'key-00001'],
  ['X-Artifact-Reference', 'a\r\nX-Artifact-Reference: b'],
  ['X-Request-Id', `${crypto.randomUUID()}\r\nX-Request-Id: ${crypto.randomUUID()}`],
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json'],
  ['Host', 'another.example.com'],
])(
  '%s repeated (%s): 400 with the name of the header, and no service receives the request',
  async (name, value) => {
    const before = fixture.upstream.received.length;
    const { status, code, message } = await send(`${name}: ${value}`);
    expect([status, code]).toEqual([400, 'validation_failed']);
    expect(message).toContain(`/headers/${name} must be`);
    expect(fixture.upstream.received).toHaveLength(before);
  },
);

test('two Content-Length headers, or Content-Length with Transfer-Encoding: 400', async () => {
  expect(await send(`Content-Length: ${body.length - 1}`)).toMatchObject({ status: 400 });
  expect(await send('Transfer-Encoding: chunked')).toMatchObject({ status: 400 });
});

test('two different credentials are 401, in the same or different headers; the same credential twice is accepted', async () => {
  for (const line of [
    `Authorization: Bearer ${otherKey}`,
    `x-api-key: ${otherKey}`,
    'Authorization: Basic eA==',
  ]) {
    expect(await send(line)).toMatchObject({ status: 401, code: 'api_key_invalid' });
  }
  expect(await send(`x-api-key: ${key}\r\nx-api-key: ${otherKey}`)).toMatchObject({ status: 401 });
  expect(await send(`x-api-key: ${key}`)).toMatchObject({ status: 200 });
});

test('two Origin headers: 403', async () => {
  expect(await send('Origin: https://a.example', 'Origin: https://b.example')).toMatchObject({ status: 403 });
});

test('two X-Forwarded-Proto headers with different schemes: 403', async () => {
  expect(await send('X-Forwarded-Proto: http')).toMatchObject({ status: 403, code: 'https_required' });
});

test('repeated X-Forwarded-For headers are one list and are accepted', async () => {
  expect(await send('X-Forwarded-For: 192.0.2.1', 'X-Forwarded-For: 192.0.2.2')).toMatchObject({
    status: 200,
  });
});

test('two Content-Encoding headers: 415', async () => {
  expect(await send('Content-Encoding: identity', 'Content-Encoding: gzip')).toMatchObject({ status: 415 });
});

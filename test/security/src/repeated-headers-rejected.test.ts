/** Attacks the guarantee that a request means one thing: a header of which two parties could each believe another occurrence. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { GatewayFixture, type TestGateway } from '../../../services/gateway/src/testing/gateway-fixture';

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

/** Sends a request with these header lines after the usual ones. */
async function send(...more: string[]): Promise<{ status: number; code: string; message: string }> {
  const socket = connect(gateway.port, '127.0.0.1');
  const lines = [...Object.entries(usual()).map(([name, value]) => `${name}: ${value}`), ...more];
  socket.write(`POST /v1/consents HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  const answer = await text(socket);
  const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  return { status: Number(answer.split(' ')[1]), code: error?.code ?? '', message: error?.message ?? '' };
}

test.each([
  ['Idempotency-Key', 'key-00002'],
  ['Idempotency-Key', 'key-00001'],
  ['X-Artifact-Reference', 'a\r\nX-Artifact-Reference: b'],
  ['X-Request-Id', `${crypto.randomUUID()}\r\nX-Request-Id: ${crypto.randomUUID()}`],
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json'],
  ['Host', 'another.example.com'],
])('%s twice (%s): 400 that names it, and no service gets the request', async (name, value) => {
  const before = fixture.upstream.received.length;
  const { status, code, message } = await send(`${name}: ${value}`);
  expect([status, code]).toEqual([400, 'validation_failed']);
  expect(message).toContain(`/headers/${name} must be`);
  expect(fixture.upstream.received).toHaveLength(before);
});

test('two lengths, or a length and a transfer coding: 400', async () => {
  expect(await send(`Content-Length: ${body.length - 1}`)).toMatchObject({ status: 400 });
  expect(await send('Transfer-Encoding: chunked')).toMatchObject({ status: 400 });
});

test('two credentials that differ are 401, in whichever headers; the same one twice is one', async () => {
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

test('two origins are none that a project allows: 403', async () => {
  expect(await send('Origin: https://a.example', 'Origin: https://b.example')).toMatchObject({ status: 403 });
});

test('a proxy that names two schemes has not said https: 403', async () => {
  expect(await send('X-Forwarded-Proto: http')).toMatchObject({ status: 403, code: 'https_required' });
});

test('X-Forwarded-For is a list, of which the last address that is no proxy counts', async () => {
  expect(await send('X-Forwarded-For: 192.0.2.1', 'X-Forwarded-For: 192.0.2.2')).toMatchObject({
    status: 200,
  });
});

test('two contents that are encoded are 415', async () => {
  expect(await send('Content-Encoding: identity', 'Content-Encoding: gzip')).toMatchObject({ status: 415 });
});

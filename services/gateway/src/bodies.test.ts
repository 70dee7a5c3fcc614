import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { BATCH_BODY_LIMIT_BYTES, BODY_LIMIT_BYTES, BookingInput } from '@carecover/contract';
import { eventually } from '@carecover/testing/servers';
import { setProject } from './store/projects';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  key = (await fixture.project()).secret_key;
});
afterAll(() => fixture.stop());

const eligibility = {
  member_reference: 'member-1',
  service_code: 'physio',
  scheduled_at: '2030-01-01T09:00:00Z',
  amount: 1,
  currency: 'KES',
};

function check(body: unknown, headers: Record<string, string> = {}) {
  return gateway.request('/v1/eligibility_checks', {
    key,
    body,
    headers: { 'idempotency-key': '12345678', ...headers },
  });
}

test('a body is forwarded byte for byte', async () => {
  const text = ` ${JSON.stringify(eligibility, null, 3)}\n`;
  expect((await check(text)).status).toBe(200);
  expect(fixture.upstream.received.at(-1)?.body.toString()).toBe(text);
});

test.each([
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON;charset="UTF-8"', 200],
  ['application/json; charset=latin1', 415],
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/merge-patch+json', 415],
  ['', 415],
])('Content-Type %p: %i', async (type, status) => {
  expect((await check(eligibility, { 'content-type': type })).status).toBe(status);
});

test('a compressed body is rejected: 415', async () => {
  const answer = await check(eligibility, { 'content-encoding': 'gzip' });
  expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_media_type']);
});

test('a request without a body needs no Content-Type, and an operation without a body accepts {}', async () => {
  const path = '/v1/webhook_endpoints/whe_1/test';
  expect((await gateway.request(path, { key, method: 'POST' })).status).toBe(200);
  expect((await gateway.request(path, { key, body: {} })).status).toBe(200);
  expect(fixture.upstream.received.at(-1)?.body).toHaveLength(0);
  expect(codeOf(await gateway.request(path, { key, body: { more: 1 } }))).toBe('validation_failed');
  expect(codeOf(await gateway.request('/v1/claims', { key, method: 'DELETE' }))).toBe('method_not_allowed');
});

test.each([
  ['broken JSON', '{"amount":'],
  ['an array', '[]'],
  ['only spaces', '  '],
  ['a duplicate name', '{"amount":1,"amount":1}'],
  ['__proto__', '{"__proto__":{"amount":1}}'],
  ['constructor', '{"constructor":{"prototype":{}}}'],
  ['deep nesting', '['.repeat(100_000)],
  ['a number beyond 2^53', JSON.stringify(eligibility).replace('"amount":1', '"amount":9007199254740993')],
  ['a fraction of money', JSON.stringify({ ...eligibility, amount: 1.5 })],
  ['a lone surrogate', JSON.stringify({ ...eligibility, member_reference: '\ud800' })],
  ['NUL', JSON.stringify({ ...eligibility, service_code: 'a\0' })],
  ['an unknown field', JSON.stringify({ ...eligibility, more: 1 })],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
])('%s: 400 validation_failed, and no service receives it', async (_, body) => {
  const before = fixture.upstream.received.length;
  const answer = await check(body);
  expect([answer.status, codeOf(answer)]).toEqual([400, 'validation_failed']);
  expect(fixture.upstream.received.length).toBe(before);
});

test('1 MiB is accepted and one byte more is 413, with a declared length or without', async () => {
  const text = JSON.stringify(eligibility);
  const sized = (bytes: number) => text + ' '.repeat(bytes - text.length);
  expect((await check(sized(BODY_LIMIT_BYTES))).status).toBe(200);
  expect(codeOf(await check(sized(BODY_LIMIT_BYTES + 1)))).toBe('payload_too_large');
  expect(codeOf(await check(sized(10 * BODY_LIMIT_BYTES)))).toBe('payload_too_large');
  const chunked = await fetch(`${gateway.origin}/v1/eligibility_checks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'x-forwarded-proto': 'https',
      'content-type': 'application/json',
    },
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(sized(BODY_LIMIT_BYTES + 1)));
        controller.close();
      },
    }),
    duplex: 'half',
  } as RequestInit);
  expect([chunked.status, await chunked.json()]).toMatchObject([
    413,
    { error: { code: 'payload_too_large' } },
  ]);
});

test('a coverage batch can have 5 MiB', async () => {
  const batch = (bytes: number) =>
    gateway.request('/v1/coverage_batches', {
      key,
      body: `{}${' '.repeat(bytes - 2)}`,
      headers: { 'idempotency-key': '12345678', 'x-artifact-reference': 'file-1' },
    });
  expect(codeOf(await batch(BATCH_BODY_LIMIT_BYTES))).toBe('validation_failed');
  expect(codeOf(await batch(BATCH_BODY_LIMIT_BYTES + 1))).toBe('payload_too_large');
});

test.each([
  [undefined, '/headers/Idempotency-Key'],
  ['1234567', '/headers/Idempotency-Key'],
  ['x'.repeat(256), '/headers/Idempotency-Key'],
])('for an operation that requires an Idempotency-Key, %p is 400', async (name, pointer) => {
  const answer = await gateway.request('/v1/eligibility_checks', {
    key,
    body: eligibility,
    headers: name === undefined ? {} : { 'idempotency-key': name },
  });
  expect(codeOf(answer)).toBe('validation_failed');
  expect(answer.text).toContain(pointer);
});

test('a body counts towards the memory of its project until its request was handled, also if its client has left', async () => {
  const { project_id, secret_key } = await fixture.project();
  // The project has the processor time to send all bodies at once.
  await setProject(fixture.sql, 'tests', project_id, { rateLimitPerMinute: 1_000_000 });
  const [booking] = Reflect.get(BookingInput, 'examples') as object[];
  // The bodies are sent to two services, because a project has fewer permits for commands to one service.
  const targets = [
    { path: '/v1/eligibility_checks', text: JSON.stringify(eligibility) },
    { path: '/v1/bookings', text: JSON.stringify(booking) },
  ] as const;
  const post = (signal?: AbortSignal, { path, text } = targets[0] as (typeof targets)[number]) =>
    fetch(`${gateway.origin}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret_key}`,
        'x-forwarded-proto': 'https',
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: text + ' '.repeat(BODY_LIMIT_BYTES - text.length),
      ...(signal === undefined ? {} : { signal }),
    });
  const waiting: ServerResponse[] = [];
  fixture.upstream.respond = (_, response) => void waiting.push(response);
  try {
    // 32 MiB, the limit of a project, has capacity for 31 such bodies with the memory of their chunks.
    for (let count = 1; count <= 31; count++) {
      const client = new AbortController();
      const left = expect(post(client.signal, targets[count % 2])).rejects.toThrow('aborted');
      await eventually('the service has the request', async () => waiting.length === count);
      client.abort();
      await left;
    }
    expect((await post()).status).toBe(503);
  } finally {
    fixture.upstream.respond = undefined;
    for (const response of waiting) response.setHeader('content-type', 'application/json').end('{}');
  }
  await eventually('the bodies no longer count', async () => (await post()).status === 200);
});

/** Sends raw bytes and returns everything received until the connection ended. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', () => undefined);
  });
}

test.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n'],
  ['two lengths', 'POST /v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  [
    'a length and chunks',
    'POST /v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
])('%s: 400 in the envelope, and the connection is closed', async (_, text) => {
  const answer = await sendRaw(text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'validation_failed' } });
});

test('headers of one megabyte: the connection is closed, after 400 if it can still be sent', async () => {
  const answer = await sendRaw(`GET /v1/ HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`);
  expect(answer).toMatch(/^(HTTP\/1\.1 400 .*"validation_failed".*)?$/s);
});

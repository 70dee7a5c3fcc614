/**
 * Requests that a client sends on one connection without waiting for responses (HTTP/1.1 pipelining). A response waits for the earlier ones.
 * If the connection is lost meanwhile, the request must free its places in all limits, as after a sent response.
 */

import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { eventually } from '@carecover/testing/servers';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

const MIB = 1024 * 1024;
/** More than the memory that one project can take for request bodies, and for unread responses. */
const TOTAL_MIB = 40;
/** A request without a response until the end of the test. */
const SLOW = '/v1/claims?limit=1';
const FILE = '/v1/valuation_runs/vrun_1/claims';
const FILES_OF_PROJECT = 3;

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;
let slow: ServerResponse[];
/** What the service sends to all other requests. */
let answer: (response: ServerResponse) => unknown;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  gateway = await fixture.gateway({ PROJECT_LONG_REQUESTS: String(FILES_OF_PROJECT) });
  key = (await fixture.project()).secret_key;
  slow = [];
  fixture.upstream.respond = ({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    if (url === SLOW) slow.push(response);
    else answer(response);
  };
  answer = (response) => response.end('{}');
});
afterEach(() => {
  for (const response of slow) response.end('{}');
});

const requestText = (path: string, headers: Readonly<Record<string, string>> = {}, body = '') =>
  [
    `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: localhost',
    'X-Forwarded-Proto: https',
    `Authorization: Bearer ${key}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');

/** Sends the slow request and after it the others on one connection. Returns when the service has received all of them. */
async function pipeline(others: readonly string[]): Promise<Socket> {
  const before = fixture.upstream.received.length;
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => undefined);
  socket.write([requestText(SLOW), ...others].join(''));
  await eventually(
    'the service receives all requests',
    async () => fixture.upstream.received.length === before + 1 + others.length,
  );
  return socket;
}

/** An eligibility check with a body of one MiB. */
function largeCheck(): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({
    member_reference: 'member-1',
    service_code: 'physio',
    scheduled_at: '2030-01-01T09:00:00Z',
    amount: 1,
    currency: 'KES',
  });
  return { headers: { 'Idempotency-Key': '12345678' }, body: body + ' '.repeat(MIB - body.length) };
}

test('the bodies of requests whose connection was reset take no memory of the project', async () => {
  const { headers, body } = largeCheck();
  const perConnection = TOTAL_MIB / 4;
  for (let sent = 0; sent < TOTAL_MIB; sent += perConnection) {
    const text = requestText('/v1/eligibility_checks', headers, body);
    const socket = await pipeline(Array.from({ length: perConnection }, () => text));
    socket.resetAndDestroy();
  }
  await eventually('a large body is accepted', async () => {
    const { status } = await gateway.request('/v1/eligibility_checks', { key, headers, body });
    return status === 200;
  });
});

test('long responses whose connection was reset take no memory of the project', async () => {
  const long = JSON.stringify({ text: 'x'.repeat(4 * MIB) });
  const perConnection = 5;
  let read = 0;
  answer = (response) => response.end(long).once('close', () => (read += 1));
  for (let sent = 0; sent < TOTAL_MIB; sent += 4 * perConnection) {
    const socket = await pipeline(Array.from({ length: perConnection }, () => requestText('/v1/claims')));
    socket.resetAndDestroy();
  }
  await eventually('the gateway has read all responses', async () => read === TOTAL_MIB / 4);
  await eventually('a long response is sent', async () => {
    const { status } = await gateway.request('/v1/claims', { key });
    return status === 200;
  });
});

/** Sends more of a file than the gateway reads while the client reads nothing, and not its end. */
function sendUnfinishedFile(response: ServerResponse): void {
  response.setHeader('content-type', 'text/csv').write('x'.repeat(16 * MIB));
}

test('files whose connection was reset are closed at the service, and the project can open others', async () => {
  const files: ServerResponse[] = [];
  let closed = 0;
  answer = (response) => {
    response.on('close', () => {
      closed += 1;
    });
    files.push(response);
    sendUnfinishedFile(response);
  };
  const file = requestText(FILE, { Accept: 'text/csv' });
  const socket = await pipeline(Array.from({ length: FILES_OF_PROJECT }, () => file));
  const excess = await gateway.request(FILE, { key, headers: { accept: 'text/csv' } });
  expect(codeOf(excess)).toBe('service_unavailable');
  socket.resetAndDestroy();
  await eventually('all files are closed', async () => closed === files.length);
  answer = (response) => response.setHeader('content-type', 'text/csv').end('id\r\n');
  await eventually('the project can open files', async () => {
    const { status } = await gateway.request(FILE, { key, headers: { accept: 'text/csv' } });
    return status === 200;
  });
});

test('a gateway stops after a connection with waiting files was reset', async () => {
  answer = sendUnfinishedFile;
  const socket = await pipeline([requestText(FILE, { Accept: 'text/csv' })]);
  socket.resetAndDestroy();
  for (const response of slow) response.end('{}');
  await gateway.stop();
});

/** Files: the gateway chooses the format by Accept, sends a file while it arrives, and stops the service's work when the client stops. */
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage, type ServerResponse } from 'node:http';
import { eventually } from '@carecover/testing/servers';
import { codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

const PATH = '/v1/valuation_runs/vrun_1/claims';
const FILES_OF_PROJECT = 3;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway({ PROJECT_LONG_REQUESTS: String(FILES_OF_PROJECT) });
  key = (await fixture.project()).secret_key;
});
afterAll(() => fixture.stop());
afterEach(() => {
  fixture.upstream.respond = undefined;
});

function received() {
  const last = fixture.upstream.received.at(-1);
  if (last === undefined) throw new Error('the service received nothing');
  return last;
}

/**
 * Makes the upstream service send CSV without an end. Returns an object with the number of bytes that the gateway has accepted so far, and
 * whether the gateway has closed the connection.
 */
function sendEndless() {
  const sent = { bytes: 0, isClosed: false };
  fixture.upstream.respond = (_received, response: ServerResponse) => {
    response.setHeader('content-type', 'text/csv; charset=utf-8');
    response.on('close', () => {
      sent.isClosed = true;
    });
    const write = () => {
      if (sent.isClosed) return;
      sent.bytes += CHUNK.length;
      if (response.write(CHUNK)) setImmediate(write);
      else response.once('drain', write);
    };
    write();
  };
  return sent;
}

/** Requests a file, and returns the response when its headers have arrived. */
async function open(accept = 'text/csv', secretKey = key): Promise<IncomingMessage> {
  const request = httpGet(`${gateway.origin}${PATH}`, {
    headers: { 'x-forwarded-proto': 'https', authorization: `Bearer ${secretKey}`, accept },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

test.each([
  ['text/csv', 'text/csv'],
  ['application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
  ['text/html, application/x-ndjson;q=0.5', 'application/x-ndjson'],
  ['text/csv;q=0.1, application/json', undefined],
  ['*/*', undefined],
  [undefined, undefined],
])('with Accept %s the service is asked for %s', async (accept, expected) => {
  await gateway.request(PATH, { key, headers: accept === undefined ? {} : { accept } });
  expect(received().headers.accept).toBe(expected);
});

test('a format that the operation does not have is 406, and other operations ignore Accept', async () => {
  const { status, ...answer } = await gateway.request(PATH, { key, headers: { accept: 'application/pdf' } });
  expect([status, codeOf({ status, ...answer })]).toEqual([406, 'not_acceptable']);
  expect((await gateway.request('/v1/claims', { key, headers: { accept: 'application/pdf' } })).status).toBe(
    200,
  );
});

test('an Accept of more than 1,000 characters is 406, and is not parsed', async () => {
  const accept = `text/csv${', a/b'.repeat(2_000)}`;
  const answer = await gateway.request(PATH, { key, headers: { accept } });
  expect([answer.status, codeOf(answer)]).toEqual([406, 'not_acceptable']);
});

test('a file has the bytes and the type of the service, and the headers of every response', async () => {
  fixture.upstream.respond = (_received, response) =>
    response.setHeader('content-type', 'text/csv; charset=utf-8').end('id\r\nclm_1\r\n');
  const { status, text, headers } = await gateway.request(PATH, { key, headers: { accept: 'text/csv' } });
  expect([status, text, headers.get('content-type')]).toEqual([
    200,
    'id\r\nclm_1\r\n',
    'text/csv; charset=utf-8',
  ]);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
});

test('an error in place of a file links to the page of this gateway', async () => {
  fixture.upstream.respond = (_received, response) =>
    response
      .writeHead(409, { 'content-type': 'application/json' })
      .end(
        JSON.stringify({ error: { code: 'valuation_not_ready', message: 'pending', docs: '/docs/errors' } }),
      );
  const { status, body } = await gateway.request(PATH, { key, headers: { accept: 'text/csv' } });
  expect([status, body]).toEqual([
    409,
    {
      error: {
        code: 'valuation_not_ready',
        message: 'pending',
        docs: expect.stringMatching(/^https:.*#valuation_not_ready$/),
      },
    },
  ]);
});

test('the service sends no faster than the client reads, and stops when the client closes the connection', async () => {
  const sent = sendEndless();
  const response = await open();
  let last = -1;
  await eventually('the service waits', async () => {
    const isSame = sent.bytes === last;
    last = sent.bytes;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return isSame && sent.bytes === last;
  });
  expect(sent.bytes).toBeLessThan(32 * 1024 * 1024);
  response.resume();
  await eventually('the service continues', async () => sent.bytes > last + 8 * CHUNK.length);
  response.destroy();
  await eventually('the service stops', async () => sent.isClosed);
});

test('a file that the service does not complete is not complete for the client', async () => {
  fixture.upstream.respond = (_received, response) => {
    response.setHeader('content-type', 'text/csv').write('id\r\nclm_1\r\n');
    setTimeout(() => response.destroy(), 100);
  };
  await expect(gateway.request(PATH, { key, headers: { accept: 'text/csv' } })).rejects.toThrow();
});

test('a project has a limited number of open files, which is the same for the others', async () => {
  sendEndless();
  const opened: IncomingMessage[] = [];
  for (let number = 0; number < FILES_OF_PROJECT; number += 1) opened.push(await open());
  const excess = await gateway.request(PATH, { key, headers: { accept: 'text/csv' } });
  expect([excess.status, codeOf(excess)]).toEqual([503, 'service_unavailable']);
  const other = await open('text/csv', (await fixture.project()).secret_key);
  expect(other.statusCode).toBe(200);
  fixture.upstream.respond = undefined;
  expect((await gateway.request('/v1/claims', { key })).status).toBe(200);
  for (const response of [...opened, other]) response.destroy();
  await eventually('the project can open files again', async () => {
    return (await gateway.request(PATH, { key, headers: { accept: 'text/csv' } })).status === 200;
  });
});

test('a service that rejects the context is answered with 503, and its response is closed', async () => {
  let isClosed = false;
  fixture.upstream.respond = (_received, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    // A response of this length is not sent completely before it is read.
    response.writeHead(401).end(Buffer.alloc(64 * CHUNK.length));
  };
  const response = await open();
  expect(response.statusCode).toBe(503);
  response.resume();
  await eventually('the response is closed', async () => isClosed);
});

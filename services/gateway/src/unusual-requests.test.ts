import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { certificateIn } from '@carecover/testing/servers';
import { GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let folder: string;
let gateway: TestGateway;
let secureGateway: TestGateway;
let ca: string;
let authorization: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  folder = await mkdtemp(join(tmpdir(), 'carecover-tls-'));
  const certificate = await certificateIn(join(folder, 'tls'));
  ca = await readFile(certificate.authority, 'utf8');
  secureGateway = await fixture.gateway({ TLS_CERTIFICATE: certificate.leaf, TLS_KEY: certificate.key });
  const { secret_key } = await fixture.project();
  authorization = `Authorization: Bearer ${secret_key}\r\nX-Forwarded-Proto: https`;
});
afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true });
});

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: { error?: { code: string; message: string } };
}

async function send(secure: boolean, request: string): Promise<RawAnswer> {
  const socket = secure
    ? connectTls({ port: secureGateway.port, host: '127.0.0.1', ca })
    : connect(gateway.port, '127.0.0.1');
  socket.write(`${request}\r\n${authorization}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) as RawAnswer['body'] };
}

function expectApiError(answer: RawAnswer, field: string): void {
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'validation_failed']);
  expect(answer.body.error?.message).toContain(field);
  expect(answer.head).toMatch(/^X-Request-Id: [0-9a-f-]{36}$/im);
  expect(answer.head).toMatch(/^Content-Type: application\/json; charset=utf-8$/im);
}

describe.each([
  ['behind a proxy', false],
  ['over TLS', true],
])('%s', (_, secure) => {
  test('HTTP/1.1 without a Host, or with two, gets 400 with an error envelope', async () => {
    expectApiError(await send(secure, 'GET /v1/ HTTP/1.1'), '/headers/Host');
    expectApiError(await send(secure, 'GET /v1/ HTTP/1.1\r\nHost: a\r\nHost: b'), '/headers/Host');
    expect((await send(secure, 'GET /v1/ HTTP/1.0')).status).toBe(200);
  });

  test('an expectation other than 100-continue does not change the response', async () => {
    const answer = await send(secure, 'GET /v1/ HTTP/1.1\r\nHost: x\r\nExpect: 200-ok');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ object: 'api' });
  });

  test('a target that is not a URL gets 400 with an error envelope', async () => {
    expectApiError(await send(secure, 'GET http://[ HTTP/1.1\r\nHost: x'), 'The request target');
  });

  test('CONNECT gets 400 with an error envelope', async () => {
    expectApiError(await send(secure, 'CONNECT x:1 HTTP/1.1\r\nHost: x'), 'CONNECT');
  });
});

describe('bytes that are not a request', () => {
  const body = '{"member_reference":"m:1","status":"granted"}';
  const post = (framing: string, content: string) =>
    `POST /v1/consents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: 12345678\r\n${framing}\r\n${authorization}\r\n\r\n${content}`;

  const stray = '\u0001no request\r\n\r\n';

  test.each([
    ['stray bytes', stray],
    ['a CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])(
    'after a request in progress, %s: the connection ends without a response that the client could take for the response to that request',
    async (_, bytes) => {
      const before = fixture.upstream.received.length;
      const socket = connect(gateway.port, '127.0.0.1');
      let received = '';
      const ended = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
      socket.on('data', (chunk) => {
        received += chunk;
      });
      fixture.upstream.respond = async (_, response) => {
        socket.write(bytes);
        await ended;
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"con_1"}');
      };
      socket.write(post(`Content-Length: ${body.length}`, body));
      await ended;
      expect(received).toBe('');
      expect(fixture.upstream.received).toHaveLength(before + 1);
      fixture.upstream.respond = undefined;
    },
  );

  test('within a body, before the request is executed: 400', async () => {
    const before = fixture.upstream.received.length;
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(post('Transfer-Encoding: chunked', `${stray}${body}`));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*well-formed/s);
    expect(fixture.upstream.received).toHaveLength(before);
  });
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Certificate, certificateIn } from '@carecover/local/testing';
import { GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let folder: string;
let certificate: Certificate;
let ca: string;
let fixture: GatewayFixture;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carecover-tls-'));
  certificate = await certificateIn(join(folder, 'tls'));
  ca = await readFile(certificate.authority, 'utf8');
  fixture = await GatewayFixture.start();
  gateway = await tlsGateway();
  key = (await fixture.project()).secret_key;
});
afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true });
});

function tlsGateway(): Promise<TestGateway> {
  const { leaf, key: leafKey } = certificate;
  return fixture.gateway({ TRUSTED_PROXY: '', TLS_CERTIFICATE: leaf, TLS_KEY: leafKey });
}

interface Plain {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: unknown;
}

function ask(
  port: number,
  path: string,
  options: { secure: boolean; agent?: Agent; method?: string },
): Promise<Plain> {
  const send = options.secure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = send(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers: { authorization: `Bearer ${key}` },
        ...(options.secure ? { ca, agent: options.agent ?? new Agent({ keepAlive: false }) } : {}),
      },
      async (response) => {
        const body = await text(response);
        resolve({
          status: response.statusCode,
          connection: response.headers.connection,
          body: JSON.parse(body),
        });
      },
    );
    outgoing.on('error', reject).end();
  });
}

test('the one port answers TLS, and refuses plain HTTP with 403 https_required and no redirect', async () => {
  expect((await ask(gateway.port, '/v1/', { secure: true })).status).toBe(200);
  for (const method of ['GET', 'POST', 'DELETE']) {
    const plain = await ask(gateway.port, '/v1/', { secure: false, method });
    expect(plain).toMatchObject({
      status: 403,
      connection: 'close',
      body: { error: { code: 'https_required' } },
    });
  }
});

test('one TLS connection carries many requests', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let index = 0; index < 20; index++) {
    expect((await ask(gateway.port, '/v1/', { secure: true, agent })).status).toBe(200);
  }
  agent.destroy();
});

test('without a certificate and without a trusted proxy, everything is refused', async () => {
  const bare = await fixture.gateway({ TRUSTED_PROXY: '' });
  expect(await ask(bare.port, '/v1/', { secure: false })).toMatchObject({ status: 403 });
});

test('what is neither TLS nor HTTP is cut off', async () => {
  const socket = connectTcp(gateway.port, '127.0.0.1', () =>
    socket.write(Buffer.from([0, 1, 2, 3, 10, 13, 10])),
  );
  const answer = await text(socket);
  expect(answer).toMatch(/^(HTTP\/1\.1 400 .*)?/s);
});

test('connections that are idle, or never say a word, are in nobody else’s way', async () => {
  const idle = Array.from({ length: 500 }, () => connectTcp(gateway.port, '127.0.0.1').on('error', () => {}));
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(gateway.port, '/v1/', { secure: true })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  for (const socket of idle) socket.destroy();
});

test('a gateway that is stopped answers the requests under way, and takes no new ones', async () => {
  const stopping = await tlsGateway();
  fixture.upstream.respond = async (_, response) => {
    await sleep(300);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"slow":true}');
  };
  const agent = new Agent({ keepAlive: true });
  const underWay = ask(stopping.port, '/v1/claims', { secure: true, agent });
  await sleep(150);
  const stopped = stopping.stop();
  expect(await underWay).toMatchObject({ status: 200, body: { slow: true } });
  // The client keeps its connection open; that alone must not hold the gateway up.
  await stopped;
  agent.destroy();
  fixture.upstream.respond = undefined;
  await expect(ask(stopping.port, '/v1/', { secure: true })).rejects.toThrow(/ECONNREFUSED/);
});

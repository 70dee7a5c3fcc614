import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent as HttpAgent, request as httpRequest, type ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type Certificate, certificateIn, eventually } from '@carecover/testing/servers';
import { defaultLimits, type Listener, listen } from './listener';
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

/** Resolves when the socket is closed, with or without an error. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function tlsGateway(): Promise<TestGateway> {
  const { leaf, key: leafKey } = certificate;
  return fixture.gateway({ TRUSTED_PROXY: '', TLS_CERTIFICATE: leaf, TLS_KEY: leafKey });
}

interface Received {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: unknown;
}

function sendRequest(
  port: number,
  path: string,
  options: { secure: boolean; agent?: HttpAgent; method?: string },
): Promise<Received> {
  const send = options.secure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = send(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers: { authorization: `Bearer ${key}`, 'x-forwarded-proto': 'https' },
        ...(options.secure ? { ca } : {}),
        agent: options.agent ?? (options.secure ? new Agent() : new HttpAgent()),
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

test('the port accepts TLS and rejects plain HTTP with 403 https_required and no redirect', async () => {
  expect((await sendRequest(gateway.port, '/v1/', { secure: true })).status).toBe(200);
  for (const method of ['GET', 'POST', 'DELETE']) {
    const plain = await sendRequest(gateway.port, '/v1/', { secure: false, method });
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
    expect((await sendRequest(gateway.port, '/v1/', { secure: true, agent })).status).toBe(200);
  }
  agent.destroy();
});

/** Returns the protocol and cipher suite that a client with the given options negotiates; null if the handshake fails. */
async function negotiate(options: ConnectionOptions): Promise<[string | null, string] | null> {
  const socket = connectTls({ port: gateway.port, host: '127.0.0.1', ca, ...options });
  try {
    await once(socket, 'secureConnect');
    return [socket.getProtocol(), socket.getCipher().name];
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

test('TLS is 1.3, or 1.2 with authenticated encryption and forward secrecy', async () => {
  expect(await negotiate({})).toEqual(['TLSv1.3', expect.any(String)]);
  const tls12 = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
  expect(await negotiate(tls12)).toEqual(['TLSv1.2', expect.stringMatching(/^ECDHE-.*(GCM|POLY1305)/)]);
  const kinds = ['AES128-GCM-SHA256', 'AES256-SHA', 'ECDHE-RSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA384'];
  for (const ciphers of kinds)
    expect([ciphers, await negotiate({ ...tls12, ciphers })]).toEqual([ciphers, null]);
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  expect(await negotiate(old)).toBeNull();
});

test('only in production mode, responses over https have Strict-Transport-Security', async () => {
  const production = await fixture.gateway({
    CARECOVER_MODE: 'production',
    PUBLIC_URL: 'https://api.example.com',
  });
  for (const path of ['/v1/', '/v1/openapi.json', '/nothing']) {
    const { headers } = await production.request(path);
    expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
  }
  const plain = await production.request('/v1/', { headers: { 'x-forwarded-proto': 'http' } });
  expect(plain.headers.get('strict-transport-security')).toBeNull();
  const local = await (await fixture.gateway()).request('/v1/');
  expect(local.headers.get('strict-transport-security')).toBeNull();
});

test('without a certificate and a trusted proxy, every request is rejected', async () => {
  const bare = await fixture.gateway({ TRUSTED_PROXY: '' });
  expect(await sendRequest(bare.port, '/v1/', { secure: false })).toMatchObject({ status: 403 });
});

test('a connection with neither TLS nor HTTP is closed', async () => {
  const socket = connectTcp(gateway.port, '127.0.0.1', () =>
    socket.write(Buffer.from([0, 1, 2, 3, 10, 13, 10])),
  );
  const answer = await text(socket);
  expect(answer).toMatch(/^(HTTP\/1\.1 400 .*)?$/s);
});

test('idle connections up to almost the limit of an address do not affect its other requests', async () => {
  const requestCount = 20;
  // The test's process opens both ends of each connection, so each connection takes two of the files that the process may open.
  const idleCount = Math.min(2_000, defaultLimits().connectionsOfPeer - requestCount);
  const silent = Array.from({ length: 0.8 * idleCount }, () =>
    connectTcp(gateway.port, '127.0.0.1').on('error', () => undefined),
  );
  const idle = Array.from({ length: 0.2 * idleCount }, () =>
    connectTls({ port: gateway.port, host: '127.0.0.1', ca }).on('error', () => undefined),
  );
  await Promise.all(idle.map((socket) => once(socket, 'secureConnect')));
  const answers = await Promise.all(
    Array.from({ length: requestCount }, () => sendRequest(gateway.port, '/v1/', { secure: true })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(requestCount).fill(200));
  for (const socket of [...silent, ...idle]) socket.destroy();
});

test('heads of one mebibyte are rejected and do not affect other requests', async () => {
  const huge = Array.from({ length: 20 }, async () => {
    const socket = connectTls({ port: gateway.port, host: '127.0.0.1', ca });
    // The server closes the connection while the client still sends, so the client's writes can fail. The test ignores these errors.
    socket.on('error', () => undefined);
    const received = new Promise<string>((resolve) => {
      let output = '';
      socket.on('data', (chunk) => {
        output += chunk;
      });
      socket.once('close', () => resolve(output));
    });
    socket.write(`GET /v1/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'a'.repeat(1024 * 1024)}\r\n\r\n`);
    return received;
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => sendRequest(gateway.port, '/v1/', { secure: true })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  for (const received of await Promise.all(huge)) {
    expect(received).toMatch(/^(HTTP\/1\.1 400 .*at most 16 KiB.*)?$/s);
  }
});

describe('with a slow client', () => {
  const limits = { handshakeMs: 200, headMs: 200, requestMs: 200, idleMs: 200, closingMs: 200, checkMs: 50 };
  let listener: Listener;
  let closedByServer: Promise<void> | undefined;

  beforeAll(async () => {
    const { leaf, key: leafKey } = certificate;
    listener = await listen({
      host: '127.0.0.1',
      port: 0,
      tls: { certificate: await readFile(leaf), key: await readFile(leafKey) },
      handle: (request, response) => {
        closedByServer = closed(request.socket);
        response.end(Buffer.alloc(32 * 1024 * 1024));
      },
      malformed: (reason) => `HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n${reason}`,
      peerOf: () => null,
      limits,
    });
  });
  afterAll(() => listener.close());

  /** Sends the head one character at a time until the connection is closed. Returns the received text. */
  async function sendSlowly(socket: Socket): Promise<string> {
    let output = '';
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        output += chunk;
      });
    socket.write('GET /v1/ HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const sending = setInterval(() => socket.write('a'), 20);
    await closed(socket);
    clearInterval(sending);
    return output;
  }

  test('a head that arrives too slowly gets an error and its connection is closed', async () => {
    const socket = connectTls({ port: listener.port, host: '127.0.0.1', ca });
    await once(socket, 'secureConnect');
    expect(await sendSlowly(socket)).toContain('did not arrive in time');
  });

  test('a slow head over plain HTTP is closed too', async () => {
    const socket = connectTcp(listener.port, '127.0.0.1');
    await sendSlowly(socket);
    expect(socket.destroyed).toBe(true);
  });

  test('a connection without data is closed', async () => {
    const socket = connectTcp(listener.port, '127.0.0.1').on('error', () => undefined);
    await closed(socket);
    expect(socket.destroyed).toBe(true);
  });

  test('a response that the client does not read is stopped', async () => {
    const socket = connectTls({ port: listener.port, host: '127.0.0.1', ca }).on('error', () => undefined);
    await once(socket, 'secureConnect');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually('the request arrives', async () => closedByServer !== undefined);
    await closedByServer;
    socket.destroy();
  });
});

test('an unfinished request over plain HTTP does not delay the stop of a listener with TLS', async () => {
  const { leaf, key: leafKey } = certificate;
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: { certificate: await readFile(leaf), key: await readFile(leafKey) },
    handle: (_, response) => response.end('{}'),
    malformed: () => '',
    peerOf: () => null,
    limits: { headMs: 600_000, idleMs: 600_000 },
  });
  const socket = connectTcp(listener.port, '127.0.0.1').on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  const unfinished = connectTcp(listener.port, '127.0.0.1').on('error', () => undefined);
  unfinished.write('GET / HT');
  // The server has accepted the second connection when it has answered a third.
  expect((await sendRequest(listener.port, '/', { secure: false })).status).toBe(200);
  await listener.close();
});

test('the limit of connections per address does not affect other addresses', async () => {
  let peer = 'one';
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    handle: (_, response) => response.end('here'),
    malformed: () => '',
    peerOf: () => peer,
    limits: { connectionsOfPeer: 3 },
  });
  const connectOnce = async () => {
    const socket = connectTcp(listener.port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const isAccepted = await Promise.race([
      new Promise<boolean>((resolve) => socket.once('data', () => resolve(true))),
      closed(socket).then(() => false),
    ]);
    return { socket, isAccepted };
  };
  const first = [await connectOnce(), await connectOnce(), await connectOnce(), await connectOnce()];
  expect(first.map(({ isAccepted }) => isAccepted)).toEqual([true, true, true, false]);
  peer = 'another';
  const other = await connectOnce();
  expect(other.isAccepted).toBe(true);
  for (const { socket } of [...first, other]) socket.destroy();
  await listener.close();
});

test.each([
  ['with TLS', true],
  ['behind a proxy', false],
])(
  'a gateway %s finishes the requests in progress when it stops, and accepts no new ones',
  async (_, secure) => {
    const stopping = await (secure ? tlsGateway() : fixture.gateway());
    const arrived = new Promise<ServerResponse>((resolve) => {
      fixture.upstream.respond = (_, response) => resolve(response);
    });
    const agent = secure ? new Agent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    const inProgress = sendRequest(stopping.port, '/v1/claims', { secure, agent });
    const answer = await arrived;
    const stopped = stopping.stop();
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{"late":true}');
    expect(await inProgress).toMatchObject({ status: 200, body: { late: true } });
    // The client keeps its connection open, which must not delay the stop.
    await stopped;
    agent.destroy();
    fixture.upstream.respond = undefined;
    await expect(sendRequest(stopping.port, '/v1/', { secure })).rejects.toThrow(/ECONNREFUSED/);
  },
);

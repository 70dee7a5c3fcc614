import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent as HttpAgent, request as httpRequest, type ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type Certificate, certificateIn, eventually } from '@carecover/local/testing';
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

/** However it was closed. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

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
  options: { secure: boolean; agent?: HttpAgent; method?: string },
): Promise<Plain> {
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

test('the one port answers TLS, and rejects plain HTTP with 403 https_required and no redirect', async () => {
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

/** The protocol and cipher suite that a client with these options agrees on; null where there is none. */
async function agreedOn(options: ConnectionOptions): Promise<[string | null, string] | null> {
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
  expect(await agreedOn({})).toEqual(['TLSv1.3', expect.any(String)]);
  const tls12 = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
  expect(await agreedOn(tls12)).toEqual(['TLSv1.2', expect.stringMatching(/^ECDHE-.*(GCM|POLY1305)/)]);
  const kinds = ['AES128-GCM-SHA256', 'AES256-SHA', 'ECDHE-RSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA384'];
  for (const ciphers of kinds)
    expect([ciphers, await agreedOn({ ...tls12, ciphers })]).toEqual([ciphers, null]);
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  expect(await agreedOn(old)).toBeNull();
});

test('in production mode alone, answers over https tell browsers to stay with https', async () => {
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

test('without a certificate and without a trusted proxy, everything is refused', async () => {
  const bare = await fixture.gateway({ TRUSTED_PROXY: '' });
  expect(await ask(bare.port, '/v1/', { secure: false })).toMatchObject({ status: 403 });
});

test('what is neither TLS nor HTTP is cut off', async () => {
  const socket = connectTcp(gateway.port, '127.0.0.1', () =>
    socket.write(Buffer.from([0, 1, 2, 3, 10, 13, 10])),
  );
  const answer = await text(socket);
  expect(answer).toMatch(/^(HTTP\/1\.1 400 .*)?$/s);
});

test('all but a few of the connections that an address may have, idle or without a word, are in nobody else’s way', async () => {
  const asking = 20;
  // Each is open at both ends, in this one process.
  const inTheWay = Math.min(2_000, defaultLimits().connectionsOfPeer - asking);
  const mute = Array.from({ length: 0.8 * inTheWay }, () =>
    connectTcp(gateway.port, '127.0.0.1').on('error', () => undefined),
  );
  const greeted = Array.from({ length: 0.2 * inTheWay }, () =>
    connectTls({ port: gateway.port, host: '127.0.0.1', ca }).on('error', () => undefined),
  );
  await Promise.all(greeted.map((socket) => once(socket, 'secureConnect')));
  const answers = await Promise.all(
    Array.from({ length: asking }, () => ask(gateway.port, '/v1/', { secure: true })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(asking).fill(200));
  for (const socket of [...mute, ...greeted]) socket.destroy();
});

test('heads of a mebibyte are refused, and others are answered meanwhile', async () => {
  const huge = Array.from({ length: 20 }, async () => {
    const socket = connectTls({ port: gateway.port, host: '127.0.0.1', ca });
    // It is told while it still sends, so the rest of what it sends may meet a closed connection.
    socket.on('error', () => undefined);
    const told = new Promise<string>((resolve) => {
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.once('close', () => resolve(heard));
    });
    socket.write(`GET /v1/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'a'.repeat(1024 * 1024)}\r\n\r\n`);
    return told;
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(gateway.port, '/v1/', { secure: true })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  for (const told of await Promise.all(huge)) {
    expect(told).toMatch(/^(HTTP\/1\.1 400 .*at most 16 KiB.*)?$/s);
  }
});

describe('of whoever is slow', () => {
  const limits = { greetingMs: 200, headMs: 200, requestMs: 200, idleMs: 200, closingMs: 200, checkMs: 50 };
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

  /** Sends a character of the head again and again, until it is cut off. Gives what it was told. */
  async function drip(socket: Socket): Promise<string> {
    let heard = '';
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        heard += chunk;
      });
    socket.write('GET /v1/ HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const dripping = setInterval(() => socket.write('a'), 20);
    await closed(socket);
    clearInterval(dripping);
    return heard;
  }

  test('a head that arrives too slowly is cut off, and told why', async () => {
    const socket = connectTls({ port: listener.port, host: '127.0.0.1', ca });
    await once(socket, 'secureConnect');
    expect(await drip(socket)).toContain('did not arrive in time');
  });

  test('over plain HTTP it is cut off too', async () => {
    const socket = connectTcp(listener.port, '127.0.0.1');
    await drip(socket);
    expect(socket.destroyed).toBe(true);
  });

  test('a connection that says nothing is cut off', async () => {
    const socket = connectTcp(listener.port, '127.0.0.1').on('error', () => undefined);
    await closed(socket);
    expect(socket.destroyed).toBe(true);
  });

  test('an answer that nobody takes is given up', async () => {
    const socket = connectTls({ port: listener.port, host: '127.0.0.1', ca }).on('error', () => undefined);
    await once(socket, 'secureConnect');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually('the request arrives', async () => closedByServer !== undefined);
    await closedByServer;
    socket.destroy();
  });
});

test('one address has its share of connections, and others keep theirs', async () => {
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
  const hello = async () => {
    const socket = connectTcp(listener.port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const heard = await Promise.race([
      new Promise<boolean>((resolve) => socket.once('data', () => resolve(true))),
      closed(socket).then(() => false),
    ]);
    return { socket, heard };
  };
  const first = [await hello(), await hello(), await hello(), await hello()];
  expect(first.map(({ heard }) => heard)).toEqual([true, true, true, false]);
  peer = 'another';
  const other = await hello();
  expect(other.heard).toBe(true);
  for (const { socket } of [...first, other]) socket.destroy();
  await listener.close();
});

test.each([
  ['with TLS of its own', true],
  ['behind a proxy', false],
])(
  'a gateway %s that is stopped answers the requests under way, and takes no new ones',
  async (_, secure) => {
    const stopping = await (secure ? tlsGateway() : fixture.gateway());
    const arrived = new Promise<ServerResponse>((resolve) => {
      fixture.upstream.respond = (_, response) => resolve(response);
    });
    const agent = secure ? new Agent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    const underWay = ask(stopping.port, '/v1/claims', { secure, agent });
    const answer = await arrived;
    const stopped = stopping.stop();
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{"late":true}');
    expect(await underWay).toMatchObject({ status: 200, body: { late: true } });
    // The client keeps its connection open; that alone must not hold the gateway up.
    await stopped;
    agent.destroy();
    fixture.upstream.respond = undefined;
    await expect(ask(stopping.port, '/v1/', { secure })).rejects.toThrow(/ECONNREFUSED/);
  },
);

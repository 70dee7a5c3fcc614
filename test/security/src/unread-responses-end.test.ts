/**
 * Attacks the bounds of what a peer holds that acknowledges packets but reads nothing, while the kernel's buffers contain the whole response.
 * The process closes the connection in bounded time and holds nothing for it. The kernel keeps at most the send buffer of the connection, and
 * Linux ends the connection after about six minutes, which only the soak waits for (docs/security.md, "Unread responses").
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { boundConnections, CONNECTION_LIMITS, HANDSHAKE_MS } from '@carecover/http';
import { certificateIn, eventually, testSize } from '@carecover/testing/servers';
import {
  findHeldConnections,
  findUndeliveredBytes,
  openUnfinished,
  peerBehaviours,
} from '@carecover/testing/stack';
import { listen } from '../../../services/gateway/src/listener';

const LIMITS = {
  handshakeMs: 2_000,
  headMs: 2_000,
  requestMs: 2_000,
  idleMs: 1_000,
  closingMs: 500,
  checkMs: 50,
};
/**
 * The size of a response in bytes: larger than the receive buffer of a peer, and smaller than the kernel's send buffer of one connection.
 */
const RESPONSE_BYTES = 2 * 1024 * 1024;
const CONNECTIONS = 10;
/**
 * How long the test waits until the kernel has ended the connections, in milliseconds. Linux doubles the interval of its probes of a peer
 * without receive window from 0.2 s on, and ends a closed connection when the interval has reached 120 s: after 341 s.
 */
const KERNEL_MS = testSize({ ci: null, soak: 450_000 });
const SEND_BUFFER_BYTES = Number(readFileSync('/proc/sys/net/ipv4/tcp_wmem', 'utf8').trim().split(/\s+/)[2]);

interface Server {
  readonly port: number;
  /** Returns the number of responses that are completely in the kernel's buffers. */
  readonly countResponses: () => number;
  readonly ca?: string;
  readonly close: () => Promise<unknown>;
}

async function startGatewayListener(limits = LIMITS): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-unread-'));
  const certificate = await certificateIn(folder);
  const tls = { certificate: await readFile(certificate.leaf), key: await readFile(certificate.key) };
  const ca = await readFile(certificate.authority, 'utf8');
  await rm(folder, { recursive: true });
  let responses = 0;
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    tls,
    handle: (_, response) => response.end(Buffer.alloc(RESPONSE_BYTES), () => (responses += 1)),
    malformed: () => '',
    peerOf: () => 'peer',
    limits,
  });
  return {
    port: listener.port,
    countResponses: () => responses,
    ca,
    close: () => listener.close(),
  };
}

async function startServiceServer(): Promise<Server> {
  let responses = 0;
  const server = createServer({ keepAliveTimeout: LIMITS.idleMs }, (_, response) =>
    response.end(Buffer.alloc(RESPONSE_BYTES), () => (responses += 1)),
  );
  boundConnections(server, LIMITS).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    countResponses: () => responses,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Sends a request with the Connection header `connection` on a new connection, and does not read the response. */
async function requestWithoutReading({ port, ca }: Server, connection: 'close' | 'keep-alive') {
  const raw = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  await once(raw, 'connect');
  let socket: Socket = raw;
  if (ca !== undefined) {
    socket = connectTls({ socket: raw, ca, servername: 'localhost' }).on('error', () => undefined);
    await once(socket, 'secureConnect');
  }
  socket.pause();
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`);
  return { raw, socket };
}

describe.each([
  ['the gateway', () => startGatewayListener()],
  ['a service', startServiceServer],
])('%s', (_, start) => {
  let server: Server;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());

  test.each([
    ['close', 'waits'],
    ['close', 'half-closes'],
    ['keep-alive', 'waits'],
    ['keep-alive', 'half-closes'],
  ] as const)(
    'with Connection: %s and a peer that %s, the process holds nothing of an unread response, and the kernel a send buffer',
    async (connection, behaviour) => {
      const before = server.countResponses();
      const connections = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => requestWithoutReading(server, connection)),
      );
      await eventually(
        'the kernel has the responses',
        async () => server.countResponses() === before + CONNECTIONS,
      );
      if (behaviour === 'half-closes') for (const { raw } of connections) raw.end();
      await eventually(
        'the process holds no connection',
        async () => findHeldConnections(server.port).size === 0,
        20_000,
      );
      const kept = findUndeliveredBytes(server.port);
      expect(kept.length).toBeLessThanOrEqual(CONNECTIONS);
      expect(Math.max(...kept)).toBeLessThanOrEqual(SEND_BUFFER_BYTES);
      if (KERNEL_MS !== null) {
        const areEnded = async () => findUndeliveredBytes(server.port).length === 0;
        await eventually('the kernel has ended the connections', areEnded, KERNEL_MS);
      }
      for (const { raw } of connections) raw.destroy();
      await eventually(
        'the kernel keeps nothing for a peer that is gone',
        async () => findUndeliveredBytes(server.port).length === 0,
      );
    },
    KERNEL_MS === null ? undefined : 2 * KERNEL_MS,
  );

  test('a response that the peer reads after the server closed the connection is complete', async () => {
    const before = server.countResponses();
    const { raw, socket } = await requestWithoutReading(server, 'close');
    await eventually('the kernel has the response', async () => server.countResponses() === before + 1);
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await once(socket, 'end');
    expect(bytes).toBeGreaterThan(RESPONSE_BYTES);
    raw.destroy();
    await eventually('no connection is left', async () => findHeldConnections(server.port).size === 0);
  });
});

describe('the gateway, with limits of a second instead of a minute,', () => {
  let server: Server;
  beforeAll(async () => {
    // Handshakes and heads have the time of production, so that a busy machine reaches the states.
    server = await startGatewayListener({
      ...LIMITS,
      handshakeMs: HANDSHAKE_MS,
      headMs: CONNECTION_LIMITS.headMs,
    });
  });
  afterAll(() => server.close());

  test.each(['response not read', 'last response not read', 'response received and idle'] as const)(
    'ends every connection in the state "%s", whatever its peer does',
    async (state) => {
      const target = { port: server.port, ca: server.ca ?? '', secretKey: 'sk_test_any' };
      const connections = await Promise.all(
        peerBehaviours.flatMap((behaviour) => [
          openUnfinished(state, behaviour, target),
          openUnfinished(state, behaviour, target),
        ]),
      );
      for (const connection of connections) connection.behave();
      await eventually(
        'the process holds no connection',
        async () => findHeldConnections(server.port).size === 0,
      );
      for (const connection of connections) connection.destroy();
    },
  );
});

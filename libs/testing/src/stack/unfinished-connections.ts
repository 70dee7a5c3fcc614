/**
 * Opens TLS connections that stop in an unfinished state, such as half a request. From then on, the peer (the client side) waits, sends
 * one byte per second, or half-closes, closes or resets the connection. Also reads from the kernel which connections a server has not
 * closed.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';

export const unfinishedStates = [
  'nothing sent',
  'first byte of a handshake',
  'half a ClientHello',
  'ClientHello without the rest of the handshake',
  'handshake done and nothing sent',
  'half a head',
  'half a body',
  'response not read',
  'last response not read',
  'response received and idle',
] as const;
export type UnfinishedState = (typeof unfinishedStates)[number];

export const peerBehaviours = ['waits', 'drips', 'half-closes', 'closes', 'resets'] as const;
export type PeerBehaviour = (typeof peerBehaviours)[number];

export interface Target {
  readonly port: number;
  /** The certificate of the trusted authority as PEM text. */
  readonly ca: string;
  readonly secretKey: string;
}

export interface UnfinishedConnection {
  readonly state: UnfinishedState;
  readonly behaviour: PeerBehaviour;
  /** The port of the peer, which identifies the connection in the tables of the kernel. */
  readonly port: number;
  /** Starts the behaviour of the peer. Until this call, the peer waits. */
  behave(): void;
  destroy(): void;
}

const DRIP_INTERVAL_MS = 1_000;
/** A TLS handshake record that announces 16 KiB. Tests send only a part of it. */
const LARGE_RECORD = Buffer.concat([Buffer.from([0x16, 3, 3, 0x40, 0]), Buffer.alloc(16 * 1024)]);
/** A number of requests whose responses together exceed the buffers of the kernel if the peer reads nothing. */
const UNREAD_REQUESTS = 40;

/** Returns the bytes of a ClientHello that Node.js sends. */
async function captureClientHello(): Promise<Buffer> {
  let captured: (bytes: Buffer) => void;
  const bytes = new Promise<Buffer>((resolve) => {
    captured = resolve;
  });
  const transport = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      captured(chunk);
      done();
    },
  });
  const socket = connectTls({ socket: transport }).on('error', () => undefined);
  const hello = await bytes;
  socket.destroy();
  return hello;
}

function dripText(socket: Socket, text: string): () => void {
  return () => void socket.write(text);
}

function dripBytes(socket: Socket, bytes: Buffer): () => void {
  let sent = 0;
  return () => void socket.write(bytes.subarray(sent, ++sent));
}

const TOKEN_BODY = JSON.stringify({ expires_in: 60, scopes: ['claims:read'] }).padEnd(1_000);

interface Opened {
  /** Sends the next byte of the unfinished message, or reads the next few bytes of the response. */
  readonly drip: () => void;
}

async function openTls(raw: Socket, { ca }: Target): Promise<TLSSocket> {
  const socket = connectTls({ socket: raw, ca, servername: 'localhost' });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

function requestHead(path: string, { secretKey }: Target, more = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secretKey}\r\n${more}\r\n`;
}

async function reachState(
  state: UnfinishedState,
  raw: Socket,
  target: Target,
  sentPart: number,
): Promise<Opened> {
  const hello =
    state.includes('ClientHello') || state === 'nothing sent' ? await captureClientHello() : Buffer.alloc(0);
  switch (state) {
    case 'nothing sent':
      return { drip: dripBytes(raw, hello) };
    case 'first byte of a handshake':
      raw.write(LARGE_RECORD.subarray(0, 1));
      return { drip: dripBytes(raw, LARGE_RECORD.subarray(1)) };
    case 'half a ClientHello': {
      const sent = Math.floor(hello.length * sentPart);
      raw.write(hello.subarray(0, sent));
      return { drip: dripBytes(raw, hello.subarray(sent)) };
    }
    case 'ClientHello without the rest of the handshake':
      raw.write(hello);
      return { drip: dripBytes(raw, LARGE_RECORD) };
    case 'handshake done and nothing sent':
      return { drip: dripText(await openTls(raw, target), '\r\n') };
    case 'half a head': {
      const socket = await openTls(raw, target);
      const head = requestHead('/v1/', target);
      socket.write(head.slice(0, Math.floor((head.length - 4) * sentPart)));
      return { drip: dripText(socket, 'a') };
    }
    case 'half a body': {
      const socket = await openTls(raw, target);
      const head = requestHead(
        '/v1/tokens',
        target,
        `Content-Type: application/json\r\nContent-Length: ${TOKEN_BODY.length}\r\n`,
      );
      socket.write(
        head.replace('GET', 'POST') + TOKEN_BODY.slice(0, Math.floor(TOKEN_BODY.length * sentPart)),
      );
      return { drip: dripText(socket, '1') };
    }
    case 'response not read': {
      const socket = await openTls(raw, target);
      socket.pause();
      socket.write(requestHead('/v1/openapi.json', target).repeat(UNREAD_REQUESTS));
      return { drip: () => void socket.read(1) };
    }
    case 'last response not read': {
      const socket = await openTls(raw, target);
      socket.pause();
      socket.write(requestHead('/v1/openapi.json', target, 'Connection: close\r\n'));
      return { drip: () => void socket.read(1) };
    }
    case 'response received and idle': {
      const socket = await openTls(raw, target);
      socket.write(requestHead('/v1/', target));
      await once(socket, 'data');
      return { drip: dripText(socket, '\r\n') };
    }
  }
}

/**
 * Opens a connection and stops in the unfinished state `state`. The peer ends the connection only if its behaviour includes that.
 *
 * @param sentPart the share of the unfinished message that is sent, from 0 to 1
 */
export async function openUnfinished(
  state: UnfinishedState,
  behaviour: PeerBehaviour,
  target: Target,
  sentPart = 0.5,
): Promise<UnfinishedConnection> {
  const raw = connectTcp({ port: target.port, host: '127.0.0.1', allowHalfOpen: true });
  raw.on('error', () => undefined);
  await once(raw, 'connect');
  const port = raw.localPort ?? 0;
  const { drip } = await reachState(state, raw, target, sentPart);
  let dripping: NodeJS.Timeout | undefined;
  const behaviours: Record<PeerBehaviour, () => void> = {
    waits: () => undefined,
    drips: () => {
      dripping = setInterval(drip, DRIP_INTERVAL_MS);
    },
    'half-closes': () => raw.end(),
    closes: () => raw.destroy(),
    resets: () => raw.resetAndDestroy(),
  };
  return {
    state,
    behaviour,
    port,
    behave: behaviours[behaviour],
    destroy: () => {
      clearInterval(dripping);
      raw.destroy();
    },
  };
}

const LISTEN = '0A';

interface KernelConnection {
  /** The port of the peer. */
  readonly port: number;
  /** Whether a process has not closed the connection. */
  readonly isHeld: boolean;
  /** The number of bytes that the peer has not acknowledged. */
  readonly unsentBytes: number;
}

/** Reads the connections to a local port from the kernel. Works only on Linux, because it reads `/proc/net/tcp`. */
function readConnections(localPort: number): KernelConnection[] {
  const portOf = (address = '') => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => portOf(local) === localPort && state !== LISTEN)
    .map(([, , remote, , queues = '', , , , , inode]) => ({
      port: portOf(remote),
      isHeld: inode !== '0',
      unsentBytes: Number.parseInt(queues, 16),
    }));
}

/** Returns the peers' ports of all connections to a local port that a process has not closed. */
export function findHeldConnections(localPort: number): Set<number> {
  return new Set(
    readConnections(localPort)
      .filter(({ isHeld }) => isHeld)
      .map(({ port }) => port),
  );
}

/**
 * Returns the number of undelivered bytes of each connection to a local port that the process has closed and the kernel has not. The kernel
 * keeps them until the peer has acknowledged them.
 */
export function findUndeliveredBytes(localPort: number): number[] {
  return readConnections(localPort)
    .filter(({ isHeld, unsentBytes }) => !isHeld && unsentBytes > 0)
    .map(({ unsentBytes }) => unsentBytes);
}

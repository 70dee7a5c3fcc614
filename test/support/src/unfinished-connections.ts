/**
 * Opens TLS connections that stop in the middle of something, and reads from the kernel which of them a server still holds.
 * The peer's behaviour afterwards is part of the attack: it waits, sends one byte per second, half-closes, closes or resets.
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
  'answer not read',
  'last answer not read',
  'answered and idle',
] as const;
export type UnfinishedState = (typeof unfinishedStates)[number];

export const peerBehaviours = ['waits', 'drips', 'half-closes', 'closes', 'resets'] as const;
export type PeerBehaviour = (typeof peerBehaviours)[number];

export interface Target {
  readonly port: number;
  /** PEM text of the authority to trust. */
  readonly ca: string;
  readonly secretKey: string;
}

export interface UnfinishedConnection {
  readonly state: UnfinishedState;
  readonly behaviour: PeerBehaviour;
  /** The peer's port, by which the kernel's tables name the connection. */
  readonly port: number;
  /** Makes the peer behave as asked; until then it waits. */
  behave(): void;
  destroy(): void;
}

const DRIP_INTERVAL_MS = 1_000;
/** A handshake record that announces 16 KiB, of which little arrives. */
const ENDLESS_RECORD = Buffer.concat([Buffer.from([0x16, 3, 3, 0x40, 0]), Buffer.alloc(16 * 1024)]);
/** Answers that exceed what the kernel buffers for a peer that reads nothing. */
const UNREAD_REQUESTS = 40;

/** Returns the bytes of a real ClientHello. */
async function clientHello(): Promise<Buffer> {
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
  /** Sends or reads the next little bit. */
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
  part: number,
): Promise<Opened> {
  const hello =
    state.includes('ClientHello') || state === 'nothing sent' ? await clientHello() : Buffer.alloc(0);
  switch (state) {
    case 'nothing sent':
      return { drip: dripBytes(raw, hello) };
    case 'first byte of a handshake':
      raw.write(ENDLESS_RECORD.subarray(0, 1));
      return { drip: dripBytes(raw, ENDLESS_RECORD.subarray(1)) };
    case 'half a ClientHello': {
      const sent = Math.floor(hello.length * part);
      raw.write(hello.subarray(0, sent));
      return { drip: dripBytes(raw, hello.subarray(sent)) };
    }
    case 'ClientHello without the rest of the handshake':
      raw.write(hello);
      return { drip: dripBytes(raw, ENDLESS_RECORD) };
    case 'handshake done and nothing sent':
      return { drip: dripText(await openTls(raw, target), '\r\n') };
    case 'half a head': {
      const socket = await openTls(raw, target);
      const head = requestHead('/v1/', target);
      socket.write(head.slice(0, Math.floor((head.length - 4) * part)));
      return { drip: dripText(socket, 'a') };
    }
    case 'half a body': {
      const socket = await openTls(raw, target);
      const head = requestHead(
        '/v1/tokens',
        target,
        `Content-Type: application/json\r\nContent-Length: ${TOKEN_BODY.length}\r\n`,
      );
      socket.write(head.replace('GET', 'POST') + TOKEN_BODY.slice(0, Math.floor(TOKEN_BODY.length * part)));
      return { drip: dripText(socket, '1') };
    }
    case 'answer not read': {
      const socket = await openTls(raw, target);
      socket.pause();
      socket.write(requestHead('/v1/openapi.json', target).repeat(UNREAD_REQUESTS));
      return { drip: () => void socket.read(1) };
    }
    case 'last answer not read': {
      const socket = await openTls(raw, target);
      socket.pause();
      socket.write(requestHead('/v1/openapi.json', target, 'Connection: close\r\n'));
      return { drip: () => void socket.read(1) };
    }
    case 'answered and idle': {
      const socket = await openTls(raw, target);
      socket.write(requestHead('/v1/', target));
      await once(socket, 'data');
      return { drip: dripText(socket, '\r\n') };
    }
  }
}

/**
 * Opens a connection in the given state; its peer never ends it unless the behaviour says so.
 * @param part how much of what is half sent, from 0 to 1
 */
export async function openUnfinished(
  state: UnfinishedState,
  behaviour: PeerBehaviour,
  target: Target,
  part = 0.5,
): Promise<UnfinishedConnection> {
  const raw = connectTcp({ port: target.port, host: '127.0.0.1', allowHalfOpen: true });
  raw.on('error', () => undefined);
  await once(raw, 'connect');
  const port = raw.localPort ?? 0;
  const { drip } = await reachState(state, raw, target, part);
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
const TIME_WAIT = '06';

/**
 * Returns the peers' ports of the connections of a local port that a process still holds, or for which the kernel still keeps
 * data to send. Linux only, as `/proc/net/tcp` is.
 */
export function heldConnections(localPort: number): Set<number> {
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/)),
  );
  const portOf = (address = '') => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
  const held = rows.filter(([, local, , state = '', queues = '', , , , , inode]) => {
    if (portOf(local) !== localPort || state === LISTEN || state === TIME_WAIT) return false;
    return inode !== '0' || Number.parseInt(queues.split(':')[0] ?? '0', 16) > 0;
  });
  return new Set(held.map(([, , remote]) => portOf(remote)));
}

/**
 * One port for TLS and for the rejection of plain HTTP: the first byte of a connection tells which it is (a TLS handshake
 * begins with 0x16). Without a certificate, plain HTTP from a trusted proxy is all there is.
 *
 * Failure policy: every connection ends in bounded time whatever its peer does (`ConnectionDeadlines`). A peer that sends too
 * slowly, too large a head or what is not HTTP receives an answer that says so, where one can still be sent. Connections are
 * limited per address and in all, so that there is always room for others.
 */
import { constants } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import {
  CONNECTION_LIMITS,
  ConnectionDeadlines,
  type ConnectionLimits,
  closeServer,
  MAX_CLOSED_CONNECTIONS,
} from '@carecover/platform';

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** PEM texts; null for plain HTTP alone. */
  readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null;
  readonly handle: RequestListener;
  /** The raw answer to what can't be parsed as a request. */
  readonly malformed: (reason: string) => string;
  /** Whose connection it is; null for a proxy's, behind which many stand. */
  readonly peerOf: (socket: Socket) => string | null;
  readonly limits?: Partial<ListenerLimits>;
}

export interface ListenerLimits extends ConnectionLimits {
  /** Open connections of one process; further ones are dropped at once. */
  readonly connections: number;
  /** The same of one address. */
  readonly connectionsOfPeer: number;
}

export interface Listener {
  readonly port: number;
  /** Takes no new connection and lets the requests under way finish. */
  close(): Promise<void>;
}

const TLS_HANDSHAKE = 0x16;

/** What the process needs beside its callers' connections: the services', the database's, files, and {@link MAX_CLOSED_CONNECTIONS}. */
const RESERVED_FILES = 1_000 + MAX_CLOSED_CONNECTIONS;

export function defaultLimits(): ListenerLimits {
  // Where connections used up the files that the process may open, the services behind could not be reached either.
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(report.userLimits?.open_files?.soft);
  const connections = Math.min(
    20_000,
    Number.isFinite(files) ? Math.max(100, files - RESERVED_FILES) : 20_000,
  );
  return {
    ...CONNECTION_LIMITS,
    connections,
    connectionsOfPeer: Math.ceil(connections / 4),
  };
}

function httpLimits({ headMs, idleMs, checkMs }: ListenerLimits) {
  return {
    maxHeaderSize: 16 * 1024,
    headersTimeout: headMs,
    /** Head and body; a body's own limit (see request-body) is shorter. */
    requestTimeout: Math.max(headMs, 30_000),
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
    /** The gateway rejects what lacks it in its own words. */
    requireHostHeader: false,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '/headers must have at most 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * Answers everything that comes over a server's connections, also what Node would answer by itself and without an envelope:
 * an unknown expectation, CONNECT, and what is no request at all.
 */
function answerAll(
  server: Server | HttpsServer,
  { handle, malformed }: ListenerOptions,
  deadlines: ConnectionDeadlines,
): void {
  const unanswered = new WeakMap<Duplex, Set<IncomingMessage>>();
  // A request that has arrived may be done by now: a rejection of what follows it would be taken for its answer.
  const isWorking = (socket: Duplex) => [...(unanswered.get(socket) ?? [])].some(({ complete }) => complete);
  const answer: RequestListener = (request, response) => {
    const open = unanswered.get(request.socket) ?? new Set();
    unanswered.set(request.socket, open.add(request));
    response.once('close', () => open.delete(request));
    deadlines.request(request, response);
    handle(request, response);
  };
  server.on('request', answer).on('checkExpectation', answer);
  server.on('connect', (_, socket) => {
    // Node leaves this connection to us, with its errors and its end.
    socket.on('error', () => socket.destroy());
    if (isWorking(socket)) socket.destroy();
    else deadlines.end(socket, malformed('There is no CONNECT here.'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (isWorking(socket) || error.code === 'ECONNRESET') socket.destroy();
    else
      deadlines.end(socket, malformed(REASONS[error.code ?? ''] ?? 'The request is not well-formed HTTP.'));
  });
}

/** Drops a connection of whoever has too many already. */
function boundPeers(server: Server, peerOf: ListenerOptions['peerOf'], most: number): void {
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    if (peer === null) return;
    const count = (open.get(peer) ?? 0) + 1;
    open.set(peer, count);
    socket.once('close', () => {
      const left = (open.get(peer) ?? 1) - 1;
      if (left === 0) open.delete(peer);
      else open.set(peer, left);
    });
    if (count > most) socket.destroy();
  });
}

/** Sends each new connection of the TLS server to it or, where it speaks plain HTTP, to the other one. */
function sniff(secure: HttpsServer, plain: Server): void {
  const handlers = secure.listeners('connection');
  secure.removeAllListeners('connection');
  secure.on('connection', (socket: Socket) => {
    const drop = () => socket.destroy();
    socket.on('error', drop);
    socket.once('readable', () => {
      socket.removeListener('error', drop);
      const first: Buffer | null = socket.read(1);
      if (first === null) {
        drop();
        return;
      }
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE) for (const handler of handlers) handler.call(secure, socket);
      else plain.emit('connection', socket);
    });
  });
}

/** TLS 1.3, and of TLS 1.2 the suites with forward secrecy and authenticated encryption. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

function createSecureServer(
  { certificate, key }: NonNullable<ListenerOptions['tls']>,
  plain: Server,
  limits: ListenerLimits,
): HttpsServer {
  const secure = createHttpsServer({
    ...httpLimits(limits),
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    // A handshake costs the server more than the client, and one per connection is enough.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });
  sniff(secure, plain);
  // It answers one rejected request per connection.
  plain.keepAliveTimeout = 1;
  return secure;
}

/** Starts a deadline with each TCP connection, and the next one where HTTP begins on it. */
function bindDeadlines(server: Server | HttpsServer, plain: Server, deadlines: ConnectionDeadlines): void {
  plain.prependListener('connection', (socket: Socket) => {
    if (plain === server) deadlines.accept(socket);
    deadlines.greet(socket);
  });
  if (plain === server) return;
  server.prependListener('connection', (socket: Socket) => deadlines.accept(socket));
  server.prependListener('secureConnection', (socket: TLSSocket) => deadlines.greet(socket));
}

/** Listens until closed. @throws where the port is taken or the certificate can't be used */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const limits = { ...defaultLimits(), ...options.limits };
  const plain = createHttpServer(httpLimits(limits));
  const server = options.tls === null ? plain : createSecureServer(options.tls, plain, limits);
  const deadlines = new ConnectionDeadlines(limits);
  for (const each of new Set([plain, server])) answerAll(each, options, deadlines);
  bindDeadlines(server, plain, deadlines);
  server.once('close', () => deadlines.stop());
  server.maxConnections = limits.connections;
  boundPeers(server, options.peerOf, limits.connectionsOfPeer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, 1_024, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      const closed = closeServer(server);
      // Where it only rejects plain HTTP, there is nothing of it to wait for.
      if (plain !== server) plain.closeAllConnections();
      return closed;
    },
  };
}

/**
 * One port for TLS and for the refusal of plain HTTP: the first byte of a connection tells which it is (a TLS handshake
 * begins with 0x16). Without a certificate, plain HTTP from a trusted proxy is all there is.
 *
 * Failure policy: whoever sends nothing, too slowly, too large a head or what is not HTTP, or does not take its answer, is cut
 * off within seconds, told why where an answer can still be written, and costs nobody else anything. Connections are
 * bounded, of one address and in all, so that there is always room for others.
 */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeServer } from '@carecover/platform';

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

export interface ListenerLimits {
  /** Until a new connection has said something, until its TLS is agreed on, and for all of a plain one that is refused. */
  readonly greetingMs: number;
  /** Until a request's head has arrived. */
  readonly headMs: number;
  /** How long nothing may move on a connection whose request is not answered yet: longer than any answer takes. */
  readonly stalledMs: number;
  /** How often slow heads are looked for. */
  readonly checkMs: number;
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

/** What the process needs beside its callers' connections: the services', the database's, files. */
const RESERVED_FILES = 1_000;

export function defaultLimits(): ListenerLimits {
  // Where connections used up the files that the process may open, the services behind could not be reached either.
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const files = Number(report.userLimits?.open_files?.soft);
  const connections = Math.min(
    20_000,
    Number.isFinite(files) ? Math.max(100, files - RESERVED_FILES) : 20_000,
  );
  return {
    greetingMs: 10_000,
    headMs: 10_000,
    stalledMs: 60_000,
    checkMs: 2_000,
    connections,
    connectionsOfPeer: Math.ceil(connections / 4),
  };
}

function httpLimits({ headMs, checkMs }: ListenerLimits) {
  return {
    maxHeaderSize: 16 * 1024,
    headersTimeout: headMs,
    /** Head and body; a body's own limit (see request-body) is shorter. */
    requestTimeout: Math.max(headMs, 30_000),
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: checkMs,
    /** The gateway refuses what lacks it in its own words. */
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
function answerAll(server: Server | HttpsServer, { handle, malformed }: ListenerOptions): void {
  const unanswered = new WeakMap<Duplex, Set<IncomingMessage>>();
  // A request that has arrived may be done by now: a refusal of what follows it would be taken for its answer.
  const isWorking = (socket: Duplex) => [...(unanswered.get(socket) ?? [])].some(({ complete }) => complete);
  const answer: RequestListener = (request, response) => {
    const open = unanswered.get(request.socket) ?? new Set();
    unanswered.set(request.socket, open.add(request));
    response.once('close', () => open.delete(request));
    handle(request, response);
  };
  server.on('request', answer).on('checkExpectation', answer);
  server.on('connect', (_, socket) => {
    // Node leaves this connection to us, with its errors and its end.
    socket.on('error', () => socket.destroy());
    if (isWorking(socket)) socket.destroy();
    else socket.end(malformed('There is no CONNECT here.'), () => socket.destroy());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (isWorking(socket) || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(malformed(REASONS[error.code ?? ''] ?? 'The request is not well-formed HTTP.'));
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
function sniff(secure: HttpsServer, plain: Server, greetingMs: number): void {
  const handlers = secure.listeners('connection');
  secure.removeAllListeners('connection');
  secure.on('connection', (socket: Socket) => {
    const drop = () => socket.destroy();
    socket.setTimeout(greetingMs, drop);
    socket.on('error', drop);
    socket.once('readable', () => {
      socket.removeListener('error', drop);
      socket.setTimeout(0);
      socket.removeListener('timeout', drop);
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

function createSecureServer(
  { certificate, key }: NonNullable<ListenerOptions['tls']>,
  plain: Server,
  limits: ListenerLimits,
): HttpsServer {
  const { greetingMs } = limits;
  const secure = createHttpsServer({
    ...httpLimits(limits),
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    handshakeTimeout: greetingMs,
  });
  sniff(secure, plain, greetingMs);
  // It answers one refusal a connection, and its own checks of slow senders don't run since it doesn't listen itself.
  plain.keepAliveTimeout = 1;
  plain.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), greetingMs);
    socket.once('close', () => clearTimeout(timer));
  });
  return secure;
}

/** Listens until closed. @throws where the port is taken or the certificate can't be used */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const limits = { ...defaultLimits(), ...options.limits };
  const plain = createHttpServer(httpLimits(limits));
  const server = options.tls === null ? plain : createSecureServer(options.tls, plain, limits);
  for (const each of new Set([plain, server])) answerAll(each, options);
  server.maxConnections = limits.connections;
  server.timeout = limits.stalledMs;
  boundPeers(server, options.peerOf, limits.connectionsOfPeer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, 1_024, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      const closed = closeServer(server);
      // Where it only refuses plain HTTP, there is nothing of it to wait for.
      if (plain !== server) plain.closeAllConnections();
      return closed;
    },
  };
}

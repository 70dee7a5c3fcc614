/**
 * Listens on one port for TLS and for plain HTTP, which is rejected. The first byte of a connection distinguishes them: a TLS handshake
 * begins with 0x16. Without a certificate, the port accepts plain HTTP from a trusted proxy.
 *
 * Failure policy: every connection has deadlines (`ConnectionDeadlines`). A peer that sends too slowly, sends too large a head or
 * does not send HTTP receives 400, if a response can still be sent; one that sends plain HTTP too slowly to a port with TLS is disconnected. Connections are limited per address and in total, so that one address
 * can't use all of them.
 */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  CONNECTION_LIMITS,
  ConnectionDeadlines,
  type ConnectionLimits,
  type ConnectionMaximums,
  createTlsServer,
  defaultConnectionMaximums,
  GracefulStop,
  HANDSHAKE_MS,
  keepHeaderLines,
  limitConnections,
  onResponseEnd,
  type TlsCertificate,
} from '@carecover/http';

export interface ListenerOptions {
  readonly host: string;
  /** How long a stopping listener still accepts requests, in milliseconds. */
  readonly drainMs?: number;
  /** The port; 0: a free port that the operating system chooses. */
  readonly port: number;
  /** The certificate; null: the port accepts plain HTTP only. */
  readonly tls: TlsCertificate | null;
  readonly handle: RequestListener;
  /** Returns the raw HTTP response to input that can't be parsed as a request. */
  readonly malformed: (reason: string) => string;
  /** Returns the address of a connection's peer; null for a proxy, which is not limited. */
  readonly peerOf: (socket: Socket) => string | null;
  readonly limits?: Partial<ListenerLimits>;
}

export interface ListenerLimits extends ConnectionLimits, ConnectionMaximums {
  /** Maximum time in milliseconds for the first byte of a connection, and then for its TLS handshake. */
  readonly handshakeMs: number;
}

export interface Listener {
  readonly port: number;
  /** Accepts no new connection and resolves when the requests in progress have finished. */
  close(): Promise<void>;
}

const TLS_HANDSHAKE = 0x16;

/** Returns the default limits, which depend on the number of files that the process may open. */
export function defaultLimits(): ListenerLimits {
  return { ...CONNECTION_LIMITS, ...defaultConnectionMaximums(), handshakeMs: HANDSHAKE_MS };
}

function httpLimits({ headMs, idleMs, checkMs }: ListenerLimits) {
  return {
    maxHeaderSize: 16 * 1024,
    headersTimeout: headMs,
    /**
     * Maximum time in milliseconds for head and body of a request together. The maximum for the body alone (request-body.ts) is shorter.
     */
    requestTimeout: Math.max(headMs, 30_000),
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
    /** Node.js does not check the Host header, because request-address.ts rejects a request without one, with an error envelope. */
    requireHostHeader: false,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '/headers must have at most 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * Handles everything that clients can send. Node.js would answer some of it without an error envelope: an unknown `Expect` header, the
 * method CONNECT, and bytes that are not an HTTP request.
 */
function handleAll(
  server: Server | HttpsServer,
  { handle, malformed }: ListenerOptions,
  deadlines: ConnectionDeadlines,
  stop: GracefulStop,
): void {
  const openRequests = new WeakMap<Duplex, Set<IncomingMessage>>();
  // While the response to a complete request is pending, invalid bytes after that request get no response: the client would take it for the
  // response to the request.
  const isProcessing = (socket: Duplex) =>
    [...(openRequests.get(socket) ?? [])].some(({ complete }) => complete);
  const onRequest: RequestListener = (request, response) => {
    const open = openRequests.get(request.socket) ?? new Set();
    openRequests.set(request.socket, open.add(request));
    onResponseEnd(response, () => open.delete(request));
    deadlines.request(request, response);
    stop.onRequest(request, response);
    handle(request, response);
  };
  server.on('request', onRequest).on('checkExpectation', onRequest);
  server.on('connect', (_, socket) => {
    // After CONNECT, Node.js handles neither errors nor the end of the connection.
    socket.on('error', () => socket.destroy());
    if (isProcessing(socket)) socket.destroy();
    else deadlines.end(socket, malformed('The method CONNECT is not supported.'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (isProcessing(socket) || error.code === 'ECONNRESET') socket.destroy();
    else
      deadlines.end(socket, malformed(REASONS[error.code ?? ''] ?? 'The request is not well-formed HTTP.'));
  });
}

/** Passes each new connection to the TLS server or, if its first byte does not start a TLS handshake, to the plain HTTP server. */
function separateTlsFromPlain(secure: HttpsServer, plain: Server, firstByteMs: number): void {
  const handlers = secure.listeners('connection');
  // TLS and plain HTTP share a port. The TLS server listens, because Node.js starts the timeouts of heads only in a server that listens.
  // biome-ignore lint/plugin: Node's own listener for handshakes must get only the connections that start with one, so it is called below.
  secure.removeAllListeners('connection');
  secure.on('connection', (socket: Socket) => {
    const drop = () => socket.destroy();
    socket.on('error', drop).setTimeout(firstByteMs, drop);
    socket.once('readable', () => {
      socket.off('error', drop).off('timeout', drop).setTimeout(0);
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

function createSecureServer(tls: TlsCertificate, plain: Server, limits: ListenerLimits): HttpsServer {
  const secure = createTlsServer(tls, { ...httpLimits(limits), handshakeTimeout: limits.handshakeMs });
  separateTlsFromPlain(secure, plain, limits.handshakeMs);
  // The plain HTTP server sends one rejection per connection, which is then closed.
  plain.keepAliveTimeout = 1;
  return secure;
}

/** Starts to listen and resolves when the port is open. @throws Error if the port is in use or the certificate is invalid */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const limits = { ...defaultLimits(), ...options.limits };
  const plain = createHttpServer(httpLimits(limits));
  const server = options.tls === null ? plain : createSecureServer(options.tls, plain, limits);
  const deadlines = new ConnectionDeadlines(limits);
  const stop = new GracefulStop(options.drainMs ?? 0);
  for (const current of new Set([plain, server]))
    handleAll(keepHeaderLines(current), options, deadlines, stop);
  deadlines.bind(server);
  // The plain HTTP server beside a TLS server gets sockets whose connections the TLS server has accepted.
  const plainSockets = new Set<Socket>();
  if (plain !== server) {
    plain.prependListener('connection', (socket: Socket) => {
      deadlines.start(socket);
      plainSockets.add(socket.once('close', () => plainSockets.delete(socket)));
    });
  }
  server.once('close', () => deadlines.stop());
  limitConnections(server, options.peerOf, limits);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, 1_024, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await stop.drain();
      const closed = stop.close(server);
      // Beside a TLS server, the plain HTTP server only rejects requests, so its connections are closed without waiting. Node.js does not know
      // them, because this server does not listen.
      for (const socket of plainSockets) socket.destroy();
      await closed;
    },
  };
}

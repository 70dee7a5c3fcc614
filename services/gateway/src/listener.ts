/**
 * One port for TLS and for the refusal of plain HTTP: the first byte of a connection tells which it is (a TLS handshake
 * begins with 0x16). Without a certificate, plain HTTP from a trusted proxy is all there is.
 *
 * Failure policy: whoever sends nothing, too slowly, too large a head or what is not HTTP is cut off within seconds, told
 * why where an answer can still be written, and costs nobody else anything.
 */
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** PEM texts; null for plain HTTP alone. */
  readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null;
  readonly handle: RequestListener;
  /** The raw answer to what can't be parsed as a request. */
  readonly malformed: (reason: string) => string;
}

export interface Listener {
  readonly port: number;
  /** Takes no new connection and lets the requests under way finish. */
  close(): Promise<void>;
}

const FIRST_BYTE_MS = 10_000;
const CLOSE_INTERVAL_MS = 50;
/** Open ones of one process; further ones are dropped at once. */
const MAX_CONNECTIONS = 20_000;
const TLS_HANDSHAKE = 0x16;

const HTTP_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** Head and body; a body's own limit (see request-body) is shorter. */
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  requireHostHeader: true,
};

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '/headers must have at most 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

function refuseMalformed(malformed: ListenerOptions['malformed']) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(malformed(REASONS[error.code ?? ''] ?? 'The request is not well-formed HTTP.'));
  };
}

/** Sends each new connection of the TLS server to it or, where it speaks plain HTTP, to the other one. */
function sniff(secure: HttpsServer, plain: Server): void {
  const handlers = secure.listeners('connection');
  secure.removeAllListeners('connection');
  secure.on('connection', (socket: Socket) => {
    const drop = () => socket.destroy();
    socket.setTimeout(FIRST_BYTE_MS, drop);
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
  { handle, malformed }: ListenerOptions,
  plain: Server,
): HttpsServer {
  const secure = createHttpsServer(
    { ...HTTP_LIMITS, cert: certificate, key, minVersion: 'TLSv1.2', handshakeTimeout: FIRST_BYTE_MS },
    handle,
  );
  secure.on('clientError', refuseMalformed(malformed));
  sniff(secure, plain);
  // It answers one refusal a connection, and its own checks of slow senders don't run since it doesn't listen itself.
  plain.timeout = FIRST_BYTE_MS;
  plain.keepAliveTimeout = 1;
  return secure;
}

/** Listens until closed. @throws where the port is taken or the certificate can't be used */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const plain = createHttpServer(HTTP_LIMITS, options.handle);
  plain.on('clientError', refuseMalformed(options.malformed));
  const server = options.tls === null ? plain : createSecureServer(options.tls, options, plain);
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, 1_024, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        // A connection whose request ends after this would stay open for the next one.
        const closing = setInterval(() => server.closeIdleConnections(), CLOSE_INTERVAL_MS);
        server.close(() => {
          clearInterval(closing);
          resolve();
        });
        plain.closeAllConnections();
      }),
  };
}

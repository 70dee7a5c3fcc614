/**
 * Gives every connection of an HTTP server a deadline. Only a complete request head, a delivered response, or another MiB of a
 * response that is streamed extends it, so a peer cannot hold a connection by sending or reading single bytes. Node's timeouts restart
 * with each byte, and `end()` waits for the peer without limit.
 *
 * Failure policy: a connection past its deadline is reset, so that the kernel keeps no data for a peer that does not read.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClosedConnections } from './closed-connections';
import { onResponseEnd } from './response-end';

export interface ConnectionLimits {
  /** Maximum time in milliseconds from the start of the TCP connection until HTTP can start. It includes the TLS handshake. */
  readonly greetingMs: number;
  /**
   * Maximum time in milliseconds in which a request's head must arrive. It is counted from the start of HTTP for the first request, and
   * from the first byte for a later request.
   */
  readonly headMs: number;
  /**
   * Maximum time in milliseconds from the arrival of a request's head until its response was delivered. It is longer than any operation
   * takes.
   */
  readonly requestMs: number;
  /** Maximum time in milliseconds for which a connection without a request stays open. */
  readonly idleMs: number;
  /** Maximum time in milliseconds from when the server ends a connection until the peer has acknowledged all data. */
  readonly closingMs: number;
  /** Interval in milliseconds at which the deadlines of all connections are checked. */
  readonly checkMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  greetingMs: 10_000,
  headMs: 10_000,
  requestMs: 60_000,
  idleMs: 65_000,
  closingMs: 2_000,
  checkMs: 2_000,
};

interface Connection {
  deadlineMs: number;
  /** The socket that the HTTP server uses: the TCP socket, or the TLS socket after its handshake. */
  user: Socket;
  /** The instant by which the peer must have read the response to its latest request, in milliseconds of `performance.now()`. */
  responseDeadlineMs: number;
  /** Number of requests on the connection whose responses were not delivered yet. */
  requests: number;
  /** The number of bytes that were passed to the kernel when the deadline was last extended. */
  sentBytes: number;
}

/** A streamed response extends its deadline each time that the client has read this many bytes more. */
const STREAM_STEP_BYTES = 1024 * 1024;

/** Returns the number of bytes that a socket has passed to the kernel. A TCP socket below TLS does not count them. */
function sentBytesOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

/** Returns a text that identifies the connection, the same for the TCP socket and for its TLS socket. */
function peerOf(socket: Socket): string {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;
}

export class ConnectionDeadlines {
  private readonly connections = new Map<Socket, Connection>();
  private readonly tcpSockets = new Map<string, Socket>();
  /** Connections on which HTTP has started, by the socket that the HTTP server uses. */
  private readonly greeted = new WeakMap<Duplex, Connection>();
  private readonly closed = new ClosedConnections();
  private readonly timer: NodeJS.Timeout;
  private isStopped = false;

  constructor(private readonly limits: ConnectionLimits) {
    this.timer = setInterval(() => this.check(), limits.checkMs).unref();
  }

  /**
   * Gives the new connections of a server deadlines: for the handshake on an HTTPS server, whose requests then arrive on the TLS socket
   * and not on the TCP socket below it; without TLS, for the head of the first request at once.
   */
  bind(server: Server | HttpsServer): void {
    const greeted = server instanceof HttpsServer ? 'secureConnection' : 'connection';
    server.prependListener(greeted, (socket: Socket) => this.greet(socket));
    server.prependListener('connection', (socket: Socket) => this.accept(socket));
  }

  /** Starts the deadline of a new TCP connection. The deadline applies until {@link greet} is called. */
  accept(socket: Socket): void {
    if (socket.remoteAddress === undefined) {
      // The peer has already disconnected, so the socket is destroyed.
      socket.destroy();
      return;
    }
    const peer = peerOf(socket);
    const nowMs = performance.now();
    const connection: Connection = {
      user: socket,
      deadlineMs: nowMs + this.limits.greetingMs,
      responseDeadlineMs: nowMs,
      requests: 0,
      sentBytes: 0,
    };
    this.connections.set(socket, connection);
    this.tcpSockets.set(peer, socket);
    this.closed.takeOver(socket, () =>
      Math.max(connection.responseDeadlineMs, performance.now() + this.limits.closingMs),
    );
    socket.once('close', () => {
      this.connections.delete(socket);
      if (this.tcpSockets.get(peer) === socket) this.tcpSockets.delete(peer);
    });
  }

  /** Records that HTTP starts on a connection: on the TCP socket, or on the TLS socket after its handshake. */
  greet(socket: Socket): void {
    const tcpSocket = this.tcpSockets.get(peerOf(socket));
    const connection = tcpSocket && this.connections.get(tcpSocket);
    if (connection === undefined) {
      // The TCP connection was already closed, so its socket is destroyed.
      socket.destroy();
      return;
    }
    connection.user = socket;
    this.greeted.set(socket, connection);
    this.extend(connection, this.headLimitMs());
  }

  /** Records that a request's head has arrived. */
  request(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.greeted.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    // A request that arrives before the response to an earlier one (pipelining) does not extend the deadline of the earlier one.
    if (connection.requests === 1) this.extend(connection, this.limits.requestMs);
    connection.responseDeadlineMs = connection.deadlineMs;
    onResponseEnd(response, () => {
      connection.requests -= 1;
      const { requestMs, idleMs, closingMs } = this.limits;
      if (socket.writableEnded) this.extend(connection, closingMs);
      else this.extend(connection, connection.requests > 0 ? requestMs : idleMs + this.headLimitMs());
    });
  }

  /**
   * Sends a last text, such as an error response, and ends the connection within its deadline, also if the peer neither reads nor closes
   * the connection. During a TLS handshake nothing can be sent and `end()` would never complete, so the connection is destroyed.
   */
  end(socket: Duplex, text: string): void {
    const connection = this.greeted.get(socket);
    if (connection === undefined) {
      socket.destroy();
      return;
    }
    // Further input is read and dropped: closing a connection with unread data would discard the sent text before the peer reads it.
    if (socket.writableEnded) return;
    this.extend(connection, this.limits.closingMs);
    socket.end(text);
    socket.resume();
  }

  /** Stops the periodic checks of deadlines when all closed connections have ended. */
  stop(): void {
    this.isStopped = true;
    this.check();
  }

  /**
   * Returns the deadline for a request's head, in milliseconds. It is longer than `headMs` by two check intervals: Node.js detects a slow
   * head only at its periodic checks, and must respond before this deadline.
   */
  private headLimitMs(): number {
    return this.limits.headMs + 2 * this.limits.checkMs;
  }

  private extend(connection: Connection, limitMs: number): void {
    connection.deadlineMs = performance.now() + limitMs;
  }

  private check(): void {
    const nowMs = performance.now();
    for (const [socket, connection] of this.connections) {
      const sentBytes = sentBytesOf(connection.user);
      if (connection.requests > 0 && sentBytes - connection.sentBytes >= STREAM_STEP_BYTES) {
        connection.sentBytes = sentBytes;
        this.extend(connection, this.limits.requestMs);
        connection.responseDeadlineMs = connection.deadlineMs;
      }
      if (connection.deadlineMs < nowMs) this.closed.reset(socket, connection.user);
    }
    this.closed.check(nowMs);
    if (this.isStopped && this.closed.isEmpty) clearInterval(this.timer);
  }
}

/**
 * Gives the connections of an HTTP server deadlines.
 *
 * @example boundConnections(createServer(app.callback())).listen(port);
 */
export function boundConnections<S extends Server | HttpsServer>(
  server: S,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): S {
  const deadlines = new ConnectionDeadlines(limits);
  deadlines.bind(server);
  server.prependListener('request', (request, response) => deadlines.request(request, response));
  server.once('close', () => deadlines.stop());
  return server;
}

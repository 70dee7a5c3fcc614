/**
 * Gives every connection of an HTTP server a deadline. Only a complete request head, a delivered response, or another MiB of a
 * response that is streamed extends it, so a peer cannot hold a connection by sending or reading single bytes. Node's timeouts restart
 * with each byte, and `end()` waits for the peer without limit.
 *
 * Failure policy: a connection past its deadline is closed, and the process holds nothing for it. The kernel then keeps at most the
 * connection's send buffer until the peer has acknowledged it (docs/security.md, "Unread responses").
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onResponseEnd } from './response-end';

export interface ConnectionLimits {
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
  /** Maximum time in milliseconds from when the server ends a connection until the peer has ended it too. */
  readonly closingMs: number;
  /** Interval in milliseconds at which the deadlines of all connections are checked. */
  readonly checkMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headMs: 10_000,
  requestMs: 60_000,
  idleMs: 65_000,
  closingMs: 2_000,
  checkMs: 2_000,
};

interface Connection {
  /** The time of `performance.now()` at which the connection is closed. */
  deadlineMs: number;
  /** Number of requests on the connection whose responses were not delivered yet. */
  requests: number;
  /** The number of bytes that were passed to the kernel when the deadline was last extended. */
  sentBytes: number;
}

/** A streamed response extends its deadline each time that the client has read this many bytes more. */
const STREAM_STEP_BYTES = 1024 * 1024;

/** Returns the number of bytes that a socket has passed to the kernel. */
function sentBytesOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

export class ConnectionDeadlines {
  /** The connections on which HTTP has started, by the socket that the HTTP server uses. */
  private readonly connections = new Map<Duplex, Connection>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly limits: ConnectionLimits) {
    this.timer = setInterval(() => this.check(), limits.checkMs).unref();
  }

  /**
   * Gives the new connections of a server deadlines from the start of HTTP. On an HTTPS server that is the end of the handshake, which has
   * a deadline of its own (`createTlsServer`).
   */
  bind(server: Server | HttpsServer): void {
    const event = server instanceof HttpsServer ? 'secureConnection' : 'connection';
    server.prependListener(event, (socket: Socket) => this.start(socket));
  }

  /** Starts the deadline for the first head on a connection. */
  start(socket: Socket): void {
    const connection: Connection = { deadlineMs: 0, requests: 0, sentBytes: 0 };
    this.extend(connection, this.headLimitMs());
    this.connections.set(socket, connection);
    socket.once('close', () => this.connections.delete(socket));
  }

  /** Records that a request's head has arrived. */
  request(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    // A request that arrives before the response to an earlier one (pipelining) does not extend the deadline of the earlier one.
    if (connection.requests === 1) this.extend(connection, this.limits.requestMs);
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
    const connection = this.connections.get(socket);
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

  /** Stops the periodic checks of deadlines. Call it when the server is closed, so that no connection is left. */
  stop(): void {
    clearInterval(this.timer);
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
      const sentBytes = sentBytesOf(socket as Socket);
      if (connection.requests > 0 && sentBytes - connection.sentBytes >= STREAM_STEP_BYTES) {
        connection.sentBytes = sentBytes;
        this.extend(connection, this.limits.requestMs);
      }
      if (connection.deadlineMs >= nowMs) continue;
      socket.destroy();
      // A socket that was closed before its deadline started emits no further event.
      this.connections.delete(socket);
    }
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

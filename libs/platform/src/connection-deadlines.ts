/**
 * Gives every connection of an HTTP server a deadline, which moves only when the connection makes progress that a peer can't
 * fake by sending a byte now and then: a request has arrived, or an answer was taken. Node's own timeouts start again with
 * each byte, and `end()` waits for the peer forever.
 *
 * Failure policy: a connection past its deadline is reset, so that the kernel keeps nothing for a peer that reads nothing.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClosedConnections } from './closed-connections';

export interface ConnectionLimits {
  /** From the TCP connection until HTTP can begin on it: the first byte, and the TLS handshake. */
  readonly greetingMs: number;
  /** From there, and from the first byte of each later request, until a request's head has arrived. */
  readonly headMs: number;
  /** From a request's head until its answer was taken: longer than any operation takes. */
  readonly requestMs: number;
  /** How long a connection waits for its next request. */
  readonly idleMs: number;
  /** From the end of a connection on our side until the peer has taken what was sent. */
  readonly closingMs: number;
  /** How often deadlines are checked. */
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
  /** Until when the peer may take the answer of its latest request. */
  answerDeadlineMs: number;
  /** Requests whose answers have not been taken. */
  requests: number;
}

/** Names a connection by its two ends, on the TCP socket and on the TLS socket above it alike. */
function peerOf(socket: Socket): string {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;
}

export class ConnectionDeadlines {
  private readonly connections = new Map<Socket, Connection>();
  private readonly tcpSockets = new Map<string, Socket>();
  /** Connections on which HTTP has begun, by the socket that the HTTP server sees. */
  private readonly greeted = new WeakMap<Duplex, Connection>();
  private readonly closed = new ClosedConnections();
  private readonly timer: NodeJS.Timeout;
  private isStopped = false;

  constructor(private readonly limits: ConnectionLimits) {
    this.timer = setInterval(() => this.check(), limits.checkMs).unref();
  }

  /** Starts the deadline of a TCP connection: until {@link greet}. */
  accept(socket: Socket): void {
    if (socket.remoteAddress === undefined) {
      // Its peer has gone already.
      socket.destroy();
      return;
    }
    const peer = peerOf(socket);
    const nowMs = performance.now();
    const connection: Connection = {
      deadlineMs: nowMs + this.limits.greetingMs,
      answerDeadlineMs: nowMs,
      requests: 0,
    };
    this.connections.set(socket, connection);
    this.tcpSockets.set(peer, socket);
    this.closed.takeOver(socket, () =>
      Math.max(connection.answerDeadlineMs, performance.now() + this.limits.closingMs),
    );
    socket.once('close', () => {
      this.connections.delete(socket);
      if (this.tcpSockets.get(peer) === socket) this.tcpSockets.delete(peer);
    });
  }

  /** HTTP begins: on the TCP socket, or on a TLS socket whose handshake is done. */
  greet(socket: Socket): void {
    const tcpSocket = this.tcpSockets.get(peerOf(socket));
    const connection = tcpSocket && this.connections.get(tcpSocket);
    if (connection === undefined) {
      // Its TCP connection has been closed already.
      socket.destroy();
      return;
    }
    this.greeted.set(socket, connection);
    this.extend(connection, this.headLimitMs());
  }

  /** A request's head has arrived. */
  request(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.greeted.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    // Requests that are sent behind one another don't delay the end of the first.
    if (connection.requests === 1) this.extend(connection, this.limits.requestMs);
    connection.answerDeadlineMs = connection.deadlineMs;
    response.once('close', () => {
      connection.requests -= 1;
      const { requestMs, idleMs, closingMs } = this.limits;
      if (socket.writableEnded) this.extend(connection, closingMs);
      else this.extend(connection, connection.requests > 0 ? requestMs : idleMs + this.headLimitMs());
    });
  }

  /**
   * Sends a last text and ends the connection, within its time also where the peer neither takes it nor closes. Where the TLS
   * handshake is unfinished nothing can be sent and `end()` would never complete: the connection is destroyed.
   */
  end(socket: Duplex, text: string): void {
    const connection = this.greeted.get(socket);
    if (connection === undefined) {
      socket.destroy();
      return;
    }
    // What still arrives is read and dropped: closing with unread data would take the text away from the peer.
    if (socket.writableEnded) return;
    this.extend(connection, this.limits.closingMs);
    socket.end(text);
    socket.resume();
  }

  /** Stops once the connections that were closed have ended. */
  stop(): void {
    this.isStopped = true;
    this.check();
  }

  /** Node notices a head that is too slow at one of its checks, and must have sent its answer before the deadline. */
  private headLimitMs(): number {
    return this.limits.headMs + 2 * this.limits.checkMs;
  }

  private extend(connection: Connection, limitMs: number): void {
    connection.deadlineMs = performance.now() + limitMs;
  }

  private check(): void {
    const nowMs = performance.now();
    for (const [socket, { deadlineMs }] of this.connections)
      if (deadlineMs < nowMs) this.closed.reset(socket);
    this.closed.check(nowMs);
    if (this.isStopped && this.closed.isEmpty) clearInterval(this.timer);
  }
}

/**
 * Bounds the connections of a server of plain HTTP.
 *
 * @example boundConnections(createServer(app.callback())).listen(port);
 */
export function boundConnections<S extends Server | HttpsServer>(
  server: S,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): S {
  const deadlines = new ConnectionDeadlines(limits);
  server.prependListener('connection', (socket: Socket) => {
    deadlines.accept(socket);
    deadlines.greet(socket);
  });
  server.prependListener('request', (request, response) => deadlines.request(request, response));
  server.once('close', () => deadlines.stop());
  return server;
}

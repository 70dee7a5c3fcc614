/**
 * After Node.js closes a TCP connection, keeps the connection's file descriptor until the peer has acknowledged all data. Without the
 * descriptor, the connection can't be reset, and the kernel keeps unacknowledged data as long as the peer responds to TCP probes.
 *
 * Failure policy: a connection past its deadline is reset. If too many descriptors are kept, the oldest connection is reset.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';

/** Maximum number of descriptors that one server keeps for closed connections. */
export const MAX_CLOSED_CONNECTIONS = 500;

/**
 * The members of a socket's internal TCP handle that this file uses. Node's types do not declare them; net.Socket and node:cluster use them
 * too.
 */
interface TcpHandle {
  readonly writeQueueSize: number;
  /**
   * Writes the peer's address to `into`. Returns 0 while the kernel keeps the connection, and an error number afterwards. The kernel closes
   * the connection when the peer has acknowledged all data or has reset the connection.
   */
  getpeername(into: object): number;
  reset(done: () => void): number;
  close(done: () => void): void;
}

type WithHandle = Socket & { _handle: TcpHandle | null };

const ignore = () => undefined;

/** Maximum size in bytes of close_notify, the TLS record that ends a connection, for every cipher. */
const LARGEST_CLOSE_NOTIFY = 128;

function isConnected(handle: TcpHandle): boolean {
  return handle.getpeername({}) === 0;
}

/**
 * Returns whether the socket has ended and has sent all its data, but the shutdown of its connection is not complete.
 *
 * @param socket a TCP socket or the TLS socket on it
 */
function isShuttingDown({ writableEnded, writableFinished, writableLength }: Socket): boolean {
  return writableEnded && !writableFinished && writableLength === 0;
}

/**
 * Closes the connection with an RST, so that the kernel drops undelivered data. Call it only for a handle without a pending shutdown:
 * otherwise libuv rejects the reset, but Node.js regards the handle as closed, and its descriptor stays open for ever.
 */
function resetHandle(handle: TcpHandle): void {
  handle.reset(ignore);
}

/**
 * Closes the connection of a handle that still has unsent data. If the unsent data contains a part of a response, the connection is reset.
 */
function dropQueue(handle: TcpHandle): void {
  // The close_notify of a TLS connection is sent after all data of the response. More unsent bytes than a close_notify has therefore
  // contain response data.
  if (handle.writeQueueSize > LARGEST_CLOSE_NOTIFY) resetHandle(handle);
  else handle.close(ignore);
}

/** The state of a TCP connection whose descriptor is kept after Node.js has closed the socket. */
interface Kept {
  readonly deadlineMs: number;
  /** Whether the shutdown of the connection is complete. */
  isShutDown: boolean;
}

export class ClosedConnections {
  /** The kept connections by their handles, in the order in which Node.js closed the sockets. */
  private readonly kept = new Map<TcpHandle, Kept>();

  get isEmpty(): boolean {
    return this.kept.size === 0;
  }

  /** Makes Node.js keep the descriptor of the TCP connection when it destroys the socket. The socket still emits `close`. */
  takeOver(socket: Socket, deadlineMs: () => number): void {
    const tcpSocket = socket as WithHandle;
    const destroy = socket._destroy.bind(socket);
    socket._destroy = (error, done) => {
      const handle = tcpSocket._handle;
      if (handle !== null && isConnected(handle)) {
        tcpSocket._handle = null;
        this.keep(handle, deadlineMs());
      }
      destroy(error, done);
    };
  }

  /**
   * Destroys a TCP socket and resets its connection. If a shutdown of the connection is in progress and all data was passed to the
   * kernel, this call has no effect; a later call resets the connection.
   *
   * @param user the socket that the HTTP server uses: the TCP socket or the TLS socket on it
   */
  reset(socket: Socket, user: Socket): void {
    const tcpSocket = socket as WithHandle;
    const handle = tcpSocket._handle;
    const isShutting = isShuttingDown(user) || isShuttingDown(socket);
    if (handle !== null && isShutting && handle.writeQueueSize === 0) return;
    tcpSocket._handle = null;
    if (handle !== null) {
      if (isShutting) dropQueue(handle);
      else resetHandle(handle);
    }
    socket.destroy();
  }

  /** Closes the descriptors of ended connections and resets connections past their deadline. */
  check(nowMs: number): void {
    for (const [handle, { deadlineMs, isShutDown }] of this.kept) {
      if (isConnected(handle) && (nowMs <= deadlineMs || !isShutDown)) continue;
      this.kept.delete(handle);
      resetHandle(handle);
    }
  }

  private keep(handle: TcpHandle, deadlineMs: number): void {
    // Data that was not passed to the kernel is lost. A reset then shows the peer that the response is incomplete.
    if (handle.writeQueueSize > 0) {
      dropQueue(handle);
      return;
    }
    const options: SocketConstructorOpts & { handle: TcpHandle; pauseOnCreate: boolean } = {
      handle,
      allowHalfOpen: true,
      pauseOnCreate: true,
    };
    const kept: Kept = { deadlineMs, isShutDown: false };
    this.kept.set(handle, kept);
    // A connection that is kept is not read. This socket only sends the shutdown, and closes the handle only if the shutdown fails. If it
    // succeeds, {@link check} closes the handle later.
    new Socket(options)
      .on('error', ignore)
      .unref()
      .end(() => {
        kept.isShutDown = true;
        this.resetOldest();
      });
  }

  /**
   * Resets the oldest connections if too many are kept. It is called after each shutdown, because only a connection whose shutdown is
   * complete can be reset.
   */
  private resetOldest(): void {
    if (this.kept.size <= MAX_CLOSED_CONNECTIONS) return;
    this.check(performance.now());
    for (const [handle, { isShutDown }] of this.kept) {
      if (this.kept.size <= MAX_CLOSED_CONNECTIONS) return;
      if (!isShutDown) continue;
      this.kept.delete(handle);
      resetHandle(handle);
    }
  }
}

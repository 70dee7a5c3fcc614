/**
 * Keeps the descriptor of a TCP connection that Node.js closes until the peer has acknowledged all data. Otherwise the kernel keeps
 * unacknowledged data for as long as the peer responds to its probes, also with a window of zero.
 *
 * Failure policy: a connection past its deadline is reset. If too many descriptors are kept, the oldest connection is reset.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';

/** Maximum number of descriptors that one server keeps for closed connections. */
export const MAX_CLOSED_CONNECTIONS = 500;

/** The members of a TCP handle that net.Socket and node:cluster use. */
interface TcpHandle {
  readonly writeQueueSize: number;
  /** Returns an error number if the kernel has closed the connection: the peer acknowledged all data or reset the connection. */
  getpeername(into: object): number;
  reset(done: () => void): number;
  close(done: () => void): void;
}

type WithHandle = Socket & { _handle: TcpHandle | null };

const ignore = () => undefined;

/** Maximum size of the TLS record that ends a connection (close_notify), in bytes, for every cipher. */
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
 * Closes the connection with an RST, so that the kernel drops undelivered data. The handle must not have a pending shutdown: libuv then
 * rejects the reset, but Node.js regards the handle as closed, so its descriptor would stay open for ever.
 */
function resetHandle(handle: TcpHandle): void {
  handle.reset(ignore);
}

/** Closes the connection of a handle that has data in its queue. */
function dropQueue(handle: TcpHandle): void {
  // A shutdown is sent after all data. So it can wait only behind a close_notify, and never behind more bytes than that.
  if (handle.writeQueueSize > LARGEST_CLOSE_NOTIFY) resetHandle(handle);
  else handle.close(ignore);
}

/** A handle that is kept after Node.js has closed its socket. */
interface Kept {
  readonly deadlineMs: number;
  /** Whether the shutdown of the connection is complete. */
  isShutDown: boolean;
}

export class ClosedConnections {
  /** Oldest first. */
  private readonly kept = new Map<TcpHandle, Kept>();

  get isEmpty(): boolean {
    return this.kept.size === 0;
  }

  /** Keeps the descriptor when Node.js destroys the socket. The socket still emits `close`. */
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
   * Destroys a TCP socket and resets its connection. If the connection's shutdown completes in this turn of the event loop, nothing
   * happens, and the next call resets it.
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
    // Data that has not reached the kernel is lost, and a reset shows the peer that the response is incomplete.
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
    // This socket does not read, so it closes the handle only if the shutdown fails; `check` closes the others.
    new Socket(options)
      .on('error', ignore)
      .unref()
      .end(() => {
        kept.isShutDown = true;
        this.resetOldest();
      });
  }

  /** Called after each shutdown, so that the oldest connections, whose shutdowns were first, can be reset. */
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

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

function isConnected(handle: TcpHandle): boolean {
  return handle.getpeername({}) === 0;
}

/** Closes the connection with an RST, so that the kernel drops undelivered data. */
function resetHandle(handle: TcpHandle): void {
  // libuv does not reset a handle whose shutdown waits for queued data; such a handle is only closed.
  if (handle.reset(ignore) !== 0) handle.close(ignore);
}

export class ClosedConnections {
  /** Deadlines in milliseconds by handle, the oldest first. */
  private readonly deadlines = new Map<TcpHandle, number>();

  get isEmpty(): boolean {
    return this.deadlines.size === 0;
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

  /** Destroys a socket and resets its connection. */
  reset(socket: Socket): void {
    const tcpSocket = socket as WithHandle;
    const handle = tcpSocket._handle;
    tcpSocket._handle = null;
    if (handle !== null) resetHandle(handle);
    socket.destroy();
  }

  /** Closes the descriptors of ended connections and resets connections past their deadline. */
  check(nowMs: number): void {
    for (const [handle, deadlineMs] of this.deadlines) {
      if (isConnected(handle) && nowMs <= deadlineMs) continue;
      this.deadlines.delete(handle);
      resetHandle(handle);
    }
  }

  private keep(handle: TcpHandle, deadlineMs: number): void {
    // Data that has not reached the kernel is lost, and a reset shows the peer that the response is incomplete.
    if (handle.writeQueueSize > 0) {
      resetHandle(handle);
      return;
    }
    const options: SocketConstructorOpts & { handle: TcpHandle; pauseOnCreate: boolean } = {
      handle,
      allowHalfOpen: true,
      pauseOnCreate: true,
    };
    // This socket does not read, so it never closes the handle: `check` does.
    new Socket(options).on('error', ignore).unref().end();
    this.deadlines.set(handle, deadlineMs);
    if (this.deadlines.size > MAX_CLOSED_CONNECTIONS) this.resetOldest();
  }

  private resetOldest(): void {
    this.check(performance.now());
    const [oldest] = this.deadlines.keys();
    if (oldest === undefined || this.deadlines.size <= MAX_CLOSED_CONNECTIONS) return;
    this.deadlines.delete(oldest);
    resetHandle(oldest);
  }
}

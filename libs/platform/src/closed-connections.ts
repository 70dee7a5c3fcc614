/**
 * Keeps the descriptor of a TCP connection that Node.js closes until the peer has acknowledged everything that was sent. A kernel that
 * is left with unacknowledged data delivers it for as long as the peer answers its probes, also with a window of zero.
 *
 * Failure policy: a connection past its deadline is reset, and so is the oldest one where too many are kept.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';

/** The descriptors that one server keeps beyond those of its open connections. */
export const MAX_CLOSED_CONNECTIONS = 500;

/** What net.Socket and node:cluster use of a TCP handle. */
interface TcpHandle {
  readonly writeQueueSize: number;
  /** Returns an error number once the kernel has closed the connection: everything was acknowledged, or the peer has reset it. */
  getpeername(into: object): number;
  reset(done: () => void): number;
  close(done: () => void): void;
}

type WithHandle = Socket & { _handle: TcpHandle | null };

const nothing = () => undefined;

function isConnected(handle: TcpHandle): boolean {
  return handle.getpeername({}) === 0;
}

/** Closes the connection with an RST: the kernel drops what it has not delivered. */
function resetHandle(handle: TcpHandle): void {
  // libuv resets no handle that waits to shut down behind queued data.
  if (handle.reset(nothing) !== 0) handle.close(nothing);
}

export class ClosedConnections {
  /** By their handles, the oldest first, with the time in milliseconds after which they are reset. */
  private readonly deadlines = new Map<TcpHandle, number>();

  get isEmpty(): boolean {
    return this.deadlines.size === 0;
  }

  /** Takes the descriptor over once Node.js destroys the socket. The socket emits `close` as ever. */
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

  /** Closes what the kernel is done with and resets what is past its deadline. */
  check(nowMs: number): void {
    for (const [handle, deadlineMs] of this.deadlines) {
      if (isConnected(handle) && nowMs <= deadlineMs) continue;
      this.deadlines.delete(handle);
      resetHandle(handle);
    }
  }

  private keep(handle: TcpHandle, deadlineMs: number): void {
    // What has not reached the kernel is lost with the socket, and the peer must not take the rest for the whole.
    if (handle.writeQueueSize > 0) {
      resetHandle(handle);
      return;
    }
    const options: SocketConstructorOpts & { handle: TcpHandle; pauseOnCreate: boolean } = {
      handle,
      allowHalfOpen: true,
      pauseOnCreate: true,
    };
    // It reads nothing, and so never ends by itself.
    new Socket(options).on('error', nothing).unref().end();
    this.deadlines.set(handle, deadlineMs);
    if (this.deadlines.size > MAX_CLOSED_CONNECTIONS) this.makeRoom();
  }

  private makeRoom(): void {
    this.check(performance.now());
    const [oldest] = this.deadlines.keys();
    if (oldest === undefined || this.deadlines.size <= MAX_CLOSED_CONNECTIONS) return;
    this.deadlines.delete(oldest);
    resetHandle(oldest);
  }
}

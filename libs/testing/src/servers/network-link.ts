/**
 * A TCP proxy between two processes, with which a test can delay, partition or reset their connections. A partition keeps the connections
 * open and transmits nothing in either direction, not even the end of a connection. After the repair, the bytes that were sent in the
 * meantime arrive.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface NetworkLink {
  /** The port of the link. Connections to it are forwarded to the target. */
  readonly port: number;
  /** Delays each chunk of each direction by this time, in milliseconds. */
  delay(ms: number): void;
  partition(): void;
  /** Resets all connections on both sides, as a restart of a firewall does. New connections can be opened. */
  reset(): void;
  /** Ends the delay and the partition. */
  repair(): void;
  close(): Promise<void>;
}

/** Opens a link to a port of this machine. */
export async function startNetworkLink(targetPort: number): Promise<NetworkLink> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let repaired: Promise<void> = Promise.resolve();
  let resolveRepaired: (() => void) | undefined;

  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.setNoDelay().once('close', () => sockets.delete(socket));
  };
  const transmit = async (from: Socket, to: Socket) => {
    try {
      for await (const chunk of from) {
        if (delayMs > 0) await sleep(delayMs);
        await repaired;
        if (to.destroyed) break;
        if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      await repaired;
      to.end();
    } catch {
      // One process has reset its connection to the link, so the link resets its connection to the other process too.
      await repaired;
      to.resetAndDestroy();
    }
  };
  const server = createServer(async (near) => {
    track(near).on('error', () => undefined);
    await repaired;
    const far = track(connect(targetPort, '127.0.0.1'));
    far.on('error', () => undefined);
    void transmit(near, far);
    void transmit(far, near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the link has no port');

  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const repair = () => {
    delayMs = 0;
    resolveRepaired?.();
    resolveRepaired = undefined;
  };
  return {
    port: address.port,
    delay: (ms) => {
      delayMs = ms;
    },
    partition: () => {
      if (resolveRepaired !== undefined) return;
      repaired = new Promise((resolve) => {
        resolveRepaired = resolve;
      });
    },
    reset,
    repair,
    async close() {
      repair();
      reset();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A driver that opens connections that misbehave: idle, with a head that is too large, or with a head or body that is sent byte by byte.
 * One operation of the driver is one connection, from its start until the server closes it.
 */
import { connect, type TLSSocket } from 'node:tls';
import type { OpenLoad } from '../harness/driver';

export interface ConnectionOptions {
  readonly origin: string;
  readonly ca: string;
  readonly key: string;
  readonly behaviour: 'idle' | 'huge head' | 'slow head' | 'slow body';
}

const DRIP_MS = 100;
const HUGE_HEAD = `X-Huge: ${'a'.repeat(1024 * 1024)}\r\n\r\n`;

function begin({ behaviour, key }: ConnectionOptions, socket: TLSSocket): NodeJS.Timeout | undefined {
  if (behaviour === 'idle') {
    // An idle connection first sends one request, because the gateway keeps a connection open longer after a request.
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return undefined;
  }
  const method = behaviour === 'slow body' ? 'POST' : 'GET';
  const head = `${method} /v1/coverages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  if (behaviour === 'huge head') {
    socket.write(head + HUGE_HEAD);
    return undefined;
  }
  socket.write(
    behaviour === 'slow head'
      ? `${head}X-Slow: `
      : `${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
  );
  return setInterval(() => socket.write(' '), DRIP_MS);
}

export const open: OpenLoad<ConnectionOptions> = async (options) => {
  const { hostname, port } = new URL(options.origin);
  const sockets = new Set<TLSSocket>();
  return {
    size: null,
    async shoot() {
      const socket = connect({ host: hostname, port: Number(port), ca: options.ca });
      sockets.add(socket);
      // An error is ignored: the server can close the connection while the driver sends.
      socket.on('error', () => undefined).resume();
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      const agreed = new Promise<void>((resolve) => socket.once('secureConnect', () => resolve()));
      await Promise.race([agreed, closed]);
      const dripping = begin(options, socket);
      await closed;
      clearInterval(dripping);
      sockets.delete(socket);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
    },
  };
};

import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ClientAddress, parseNetworks } from '@carecover/http';
import { createHttpServer } from './start';

const NO_TLS = { TLS_CERTIFICATE: null, TLS_KEY: null };

/** Opens connections in turn, and returns which of them have a response to a request. All stay open until the last was tried. */
async function openConnections(trustedProxy: string | null, count: number): Promise<boolean[]> {
  const addresses = new ClientAddress(trustedProxy === null ? null : (parseNetworks(trustedProxy) ?? null));
  const server: Server = createHttpServer(NO_TLS, addresses, { connections: 4, connectionsOfPeer: 2 });
  server.on('request', (_, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets: Socket[] = [];
  const accepted: boolean[] = [];
  for (let opened = 0; opened < count; opened++) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    accepted.push(
      await new Promise<boolean>((resolve) => {
        socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      }),
    );
  }
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  return accepted;
}

test('a client can open a limited number of connections', async () => {
  expect(await openConnections(null, 3)).toEqual([true, true, false]);
});

test('a trusted proxy, which many clients share, can open more connections, up to the total', async () => {
  expect(await openConnections('127.0.0.1', 5)).toEqual([true, true, true, true, false]);
});

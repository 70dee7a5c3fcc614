import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually } from '@carecover/testing/servers';
import { defaultConnectionMaximums, limitConnections } from './connection-maximums';

let server: Server;
let peer: string | null;
let sockets: Socket[];

beforeEach(() => {
  peer = 'one';
  sockets = [];
  server = createServer((_, response) => response.end('here'));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(resolve));
});

async function listen(connections: number, connectionsOfPeer: number): Promise<void> {
  limitConnections(server, () => peer, { connections, connectionsOfPeer });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** Opens a connection that stays open, and returns whether a request on it has a response. */
function isAccepted(): Promise<boolean> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true)).once('close', () => resolve(false));
  });
}

async function openInTurn(count: number): Promise<boolean[]> {
  const accepted: boolean[] = [];
  for (let opened = 0; opened < count; opened++) accepted.push(await isAccepted());
  return accepted;
}

test('a peer has a maximum of open connections, which does not affect other peers', async () => {
  await listen(100, 2);
  expect(await openInTurn(3)).toEqual([true, true, false]);
  peer = 'another';
  expect(await isAccepted()).toBe(true);
  peer = 'one';
  sockets[0]?.destroy();
  await eventually('the closed connection is not counted', isAccepted);
});

test('a peer without an address, such as a trusted proxy, is limited only by the total', async () => {
  await listen(4, 1);
  peer = null;
  expect(await openInTurn(5)).toEqual([true, true, true, true, false]);
});

test('by default, a peer can have a quarter of all connections', () => {
  const { connections, connectionsOfPeer } = defaultConnectionMaximums();
  expect(connections).toBeGreaterThanOrEqual(100);
  expect(connections).toBeLessThanOrEqual(20_000);
  expect(connectionsOfPeer).toBe(Math.ceil(connections / 4));
});

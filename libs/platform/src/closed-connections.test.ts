import { connect, createServer, type Socket } from 'node:net';
import { eventually } from '@carecover/local/testing';
import { ClosedConnections, MAX_CLOSED_CONNECTIONS } from './closed-connections';

const EXCESS = 50;

test('connections above the limit are reset although all are closed in one turn of the event loop, and the others after their deadline', async () => {
  const closed = new ClosedConnections();
  const accepted: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    closed.takeOver(socket, () => performance.now() + 60_000);
    accepted.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  // The peers never close their side of a connection, so only a reset ends it. A peer detects the reset when it sends data.
  const peers = Array.from({ length: MAX_CLOSED_CONNECTIONS + EXCESS }, () =>
    connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      .on('error', () => undefined)
      .resume(),
  );
  const open = () => {
    for (const peer of peers) if (peer.writable) peer.write('x');
    return peers.filter((peer) => !peer.destroyed).length;
  };
  await eventually('all connections are accepted', async () => accepted.length === peers.length);
  for (const socket of accepted) socket.destroy();
  await eventually('the excess is reset', async () => open() === MAX_CLOSED_CONNECTIONS);
  closed.check(performance.now() + 120_000);
  await eventually('the others are reset', async () => open() === 0);
  expect(closed.isEmpty).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});

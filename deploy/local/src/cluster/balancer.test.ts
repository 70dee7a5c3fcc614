import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { eventually } from '@carecover/testing/servers';
import { freePort } from '../ports';
import { Balancer } from './balancer';

interface Upstream {
  readonly port: number;
  readonly server: Server;
  health: 'ready' | 'not ready' | 'does not respond';
}

let balancer: Balancer;
let port: number;
const upstreams: Upstream[] = [];
const clients: Socket[] = [];

/** Starts a server that sends its number to each client. */
async function startUpstream(): Promise<Upstream> {
  const number = upstreams.length + 1;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(String(number));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: Upstream = { port: (server.address() as AddressInfo).port, server, health: 'ready' };
  upstreams.push(upstream);
  return upstream;
}

const targetOf = (upstream: Upstream) => ({
  port: upstream.port,
  check: async () => {
    if (upstream.health === 'does not respond') throw new Error('no response');
    return upstream.health === 'ready';
  },
});

/** Connects to the balancer and returns the number of the target that responds; undefined if the connection is closed before a response. */
async function connectOnce(): Promise<{ readonly from: string | undefined; readonly socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  clients.push(socket);
  socket.on('error', () => undefined);
  const from = await new Promise<string | undefined>((resolve) => {
    socket.once('data', (data) => resolve(data.toString()));
    socket.once('close', () => resolve(undefined));
  });
  return { from, socket };
}

beforeEach(async () => {
  port = await freePort();
  balancer = await Balancer.listen(port);
  await startUpstream();
  await startUpstream();
  balancer.setTargets(upstreams.map(targetOf));
});

afterEach(async () => {
  for (const socket of clients.splice(0)) socket.destroy();
  await balancer.close();
  for (const { server } of upstreams.splice(0)) server.close();
});

test('connections go to the targets in rotation', async () => {
  const responses = [await connectOnce(), await connectOnce(), await connectOnce(), await connectOnce()];
  expect(responses.map(({ from }) => from)).toEqual(['1', '2', '1', '2']);
});

test('a connection goes to the other target if one does not listen', async () => {
  const [first] = upstreams;
  await new Promise((resolve) => first?.server.close(resolve));
  expect([(await connectOnce()).from, (await connectOnce()).from]).toEqual(['2', '2']);
});

test('a target that is not ready keeps its connections and gets no new ones', async () => {
  const { socket } = await connectOnce();
  const [first] = upstreams;
  if (first !== undefined) first.health = 'not ready';
  await eventually('new connections go to the other', async () => {
    const pair = [(await connectOnce()).from, (await connectOnce()).from];
    return pair.every((from) => from === '2');
  });
  expect(socket.closed).toBe(false);
});

test('a target that does not respond to its health check loses its connections and gets no new ones', async () => {
  const { socket } = await connectOnce();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const [first] = upstreams;
  if (first !== undefined) first.health = 'does not respond';
  await closed;
  expect([(await connectOnce()).from, (await connectOnce()).from]).toEqual(['2', '2']);
  if (first !== undefined) first.health = 'ready';
  await eventually('the target gets connections again', async () => (await connectOnce()).from === '1');
});

test('new targets replace the earlier ones and close their connections', async () => {
  const { socket } = await connectOnce();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  balancer.setTargets(upstreams.slice(1).map(targetOf));
  await closed;
  expect((await connectOnce()).from).toBe('2');
  balancer.setTargets([]);
  expect((await connectOnce()).from).toBeUndefined();
});

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually } from '@carecover/testing/servers';
import { onResponseEnd } from './response-end';

const REQUESTS = 20;

let server: Server;
let responses: ServerResponse[];
/** The numbers of the requests whose release was called, in the order of the calls. */
let released: number[];

beforeEach(async () => {
  responses = [];
  released = [];
  server = createServer((_request, response) => {
    const number = responses.push(response);
    onResponseEnd(response, () => released.push(number));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

/** Sends requests on one connection without waiting for responses (pipelining), and returns when the server has received all. */
async function pipeline(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(REQUESTS));
  await eventually('all requests arrive', async () => responses.length === REQUESTS);
  return socket;
}

const allNumbers = Array.from({ length: REQUESTS }, (_, index) => index + 1);
const releasedInOrder = () => [...released].sort((a, b) => a - b);

test.each([
  ['before the others have a response', false],
  ['after the others have a response, which waits for the first one', true],
])(
  'if a connection is reset before its first response, and %s, the release of each is called once',
  async (_, isAnswered) => {
    const socket = await pipeline();
    if (isAnswered) for (const response of responses.slice(1)) response.end('done');
    expect(released).toEqual([]);
    socket.resetAndDestroy();
    await eventually('all are released', async () => released.length === REQUESTS);
    for (const response of responses) if (!response.writableEnded) response.end('late');
    await new Promise((resolve) => server.close(resolve));
    expect(releasedInOrder()).toEqual(allNumbers);
  },
);

test('the release of a sent response is called once, while its connection stays open and when it closes', async () => {
  const socket = await pipeline();
  socket.resume();
  for (const response of responses) response.end('done');
  await eventually('all are released', async () => released.length === REQUESTS);
  socket.end();
  await once(socket, 'close');
  expect(released).toEqual(allNumbers);
});

test.each([
  ['sent', (socket: Socket) => socket.resume()],
  ['lost with its connection', (socket: Socket) => socket.resetAndDestroy()],
])('for a response that was %s, the release is called immediately', async (_, end) => {
  const socket = await pipeline();
  end(socket);
  for (const response of responses) response.end('done');
  await eventually('all are released', async () => released.length === REQUESTS);
  const late: ServerResponse[] = [];
  for (const response of responses) onResponseEnd(response, () => late.push(response));
  expect(late).toEqual(responses);
  socket.destroy();
});

test('a connection and a response each have one listener for all releases', async () => {
  const before = once(server, 'connection');
  const socket = await pipeline();
  const [accepted] = (await before) as [Socket];
  const counts = () => [accepted, ...responses].map((each) => each.listenerCount('close'));
  const first = counts();
  for (const response of responses) onResponseEnd(response, () => undefined);
  expect(counts()).toEqual(first);
  socket.destroy();
});

import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { GracefulStop } from './close-server';

const CLIENTS = 32;
const DRAIN_MS = 1_000;
const MAX_RESPONSE_MS = 10;
const MAX_PAUSE_MS = 20;

let server: Server;
let port: number;
let stop: GracefulStop;

const randomMs = (maximum: number) => Math.random() * maximum;

beforeEach(async () => {
  server = createServer(
    (_request, response) => void sleep(randomMs(MAX_RESPONSE_MS)).then(() => response.end('done')),
  );
  stop = new GracefulStop(DRAIN_MS);
  server.prependListener('request', stop.onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

async function closeGracefully(): Promise<void> {
  await stop.drain();
  await stop.close(server);
}

/**
 * Sends requests on one keep-alive connection until a response closes it. Returns the number of responses.
 *
 * @param onKept is called after each response that does not close the connection
 */
async function sendUntilClosed(onKept: () => void = () => undefined): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let responses = 1; ; responses += 1) {
      const connection = await new Promise<string | undefined>((resolve, reject) => {
        request({ port, agent, host: '127.0.0.1' }, async (response) => {
          await text(response);
          resolve(response.headers.connection);
        })
          .on('error', reject)
          .end();
      });
      if (connection === 'close') return responses;
      onKept();
      await sleep(randomMs(MAX_PAUSE_MS));
    }
  } finally {
    agent.destroy();
  }
}

test.each([1, 2, 3, 4])(
  'every request of keep-alive clients has a response when the server stops: run %i',
  async () => {
    // The stop begins when every client has had a response that did not close its connection.
    const clients: Promise<number>[] = [];
    await Promise.all(
      Array.from(
        { length: CLIENTS },
        () => new Promise<void>((resolve) => clients.push(sendUntilClosed(resolve))),
      ),
    );
    await sleep(randomMs(100));
    const [responses] = await Promise.all([Promise.all(clients), closeGracefully()]);
    expect(Math.min(...responses)).toBeGreaterThan(1);
  },
);

test('a request on a new connection has a response while the server drains, and the connection is then closed', async () => {
  const closed = closeGracefully();
  expect(await sendUntilClosed()).toBe(1);
  await closed;
  await expect(sendUntilClosed()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a response in progress when the stop begins closes its connection', async () => {
  const client = sendUntilClosed();
  await new Promise((resolve) => server.once('request', resolve));
  const closed = closeGracefully();
  expect(await client).toBe(1);
  await closed;
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { guardedConnector, nameServers } from './guarded-connector';

/** Listens on 127.0.0.1 and accepts nothing: whoever comes after the first few waits, as for an answer from far away. */
const NEVER_ACCEPTS = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', 1, () => {
    require('node:worker_threads').parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
const FIRST_FEW = 6;
/** Longer than Node waits for an address by itself, a quarter of a second. */
const FAR_MS = 600;

let receiver: Worker;
let port: number;
beforeAll(async () => {
  receiver = new Worker(NEVER_ACCEPTS, { eval: true });
  [port] = await once(receiver, 'message');
});
afterAll(() => receiver.terminate());

test('an address far away is waited for, and not given up for another that leads nowhere', async () => {
  const first = Array.from({ length: FIRST_FEW }, () =>
    connect({ port, host: '127.0.0.1' }).on('error', () => undefined),
  );
  await Promise.race(first.map((socket) => once(socket, 'connect')));

  // It has two addresses, and at the second nobody listens: that attempt fails at once.
  const connector = guardedConnector({ allowLoopback: true }, nameServers());
  const ended = new Promise<string>((resolve) => {
    connector({ hostname: 'localhost', protocol: 'http:', port: String(port) }, (...[error]) =>
      resolve(error === null ? 'connected' : 'given up'),
    );
  });
  expect(await Promise.race([ended, sleep(FAR_MS, 'waited for')])).toBe('waited for');

  await receiver.terminate();
  for (const socket of first) socket.destroy();
  expect(await ended).toBe('given up');
});

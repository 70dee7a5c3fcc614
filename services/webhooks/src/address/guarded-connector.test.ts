import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { dnsResolver, guardedConnector } from './guarded-connector';

/**
 * A program that listens on 127.0.0.1 and accepts no connection. When its short connection queue is full, further connections wait, as for
 * a distant host.
 */
const NEVER_ACCEPTS = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', 1, () => {
    require('node:worker_threads').parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
const FIRST_FEW = 6;
/** Longer than 250 ms, the default timeout per address in Node.js. */
const FAR_MS = 600;

let receiver: Worker;
let port: number;
beforeAll(async () => {
  receiver = new Worker(NEVER_ACCEPTS, { eval: true });
  [port] = await once(receiver, 'message');
});
afterAll(() => receiver.terminate());

test('a distant address gets enough time, although another address fails', async () => {
  const first = Array.from({ length: FIRST_FEW }, () =>
    connect({ port, host: '127.0.0.1' }).on('error', () => undefined),
  );
  await Promise.race(first.map((socket) => once(socket, 'connect')));

  // localhost has two addresses. A connection to the second address fails immediately, because nothing listens there.
  const connector = guardedConnector({ allowLoopback: true }, dnsResolver());
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

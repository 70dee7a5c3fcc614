/** Tests requests to a replica that crashes, does not respond, or is slow. The replicas are real servers. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, freePort } from '@carecover/testing/servers';
import { type ReplicaRequest, Replicas } from './replicas';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** Starts a replica: an HTTP server that passes every request to `listener`, also each liveness probe. */
async function startReplica(listener: RequestListener): Promise<Server & { readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close: () => {
      server.closeAllConnections();
      return server.close();
    },
  });
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const answering =
  (name: string): RequestListener =>
  (_, response) =>
    response.end(name);
const isProbe = (url: string | undefined) => url === '/health/live';

function over(...urls: string[]): Replicas {
  const replicas = new Replicas(urls, { probeIntervalMs: 100, probeTimeoutMs: 200, responseMs: 5_000 });
  open.push(replicas);
  return replicas;
}

function send(replicas: Replicas, changes: Partial<ReplicaRequest> = {}) {
  const request = { method: 'POST', path: '/', headers: {}, body: null, isRepeatable: true } as const;
  return replicas.send({ ...request, ...changes });
}

test('if a replica crashes, a repeatable request is sent to the next one', async () => {
  const crashing = await startReplica((request) => void request.socket.destroy());
  const healthy = await startReplica(answering('healthy'));
  const replicas = over(crashing.url, healthy.url);
  for (let attempt = 0; attempt < 4; attempt++)
    expect((await send(replicas)).body.toString()).toBe('healthy');
  await expect(send(over(crashing.url, crashing.url))).rejects.toThrow();
});

test('the scope of IDs is sent to one replica, so that a repetition makes no ID that the first one may have made', async () => {
  const scopes: unknown[] = [];
  const crashing = await startReplica((request) => {
    if (!isProbe(request.url)) scopes.push(request.headers['x-carecover-id-scope']);
    request.socket.destroy();
  });
  await expect(send(over(crashing.url, crashing.url), { idScope: '7:one' })).rejects.toThrow();
  expect(scopes).toEqual(['7:one', undefined]);
});

test('a request that is not repeatable is never sent to a second replica if the first may have received it', async () => {
  let received = 0;
  const crashing = await startReplica((request) => {
    if (isProbe(request.url)) return;
    received += 1;
    request.socket.destroy();
  });
  await expect(send(over(crashing.url, crashing.url), { isRepeatable: false })).rejects.toThrow();
  expect(received).toBe(1);
  const healthy = await startReplica(answering('healthy'));
  const unreachable = `http://127.0.0.1:${await freePort()}`;
  const replicas = over(unreachable, unreachable, healthy.url);
  expect((await send(replicas, { isRepeatable: false })).body.toString()).toBe('healthy');
});

test('requests to a replica that fails its probe are sent to the next one, and it comes last until a probe succeeds', async () => {
  const asked: string[] = [];
  let hangs = true;
  const paused = await startReplica((request, response) => {
    if (!isProbe(request.url)) asked.push('paused');
    if (!hangs) response.end('paused');
  });
  const healthy = await startReplica(answering('healthy'));
  const replicas = over(paused.url, healthy.url);
  const together = await Promise.all(Array.from({ length: 4 }, () => send(replicas)));
  expect(together.map(({ body }) => body.toString())).toEqual(Array(4).fill('healthy'));
  const before = asked.length;
  for (let attempt = 0; attempt < 4; attempt++)
    expect((await send(replicas)).body.toString()).toBe('healthy');
  expect(asked).toHaveLength(before);
  hangs = false;
  await expect(
    (async () => {
      while ((await send(replicas)).body.toString() !== 'paused') await sleep(10);
    })(),
  ).resolves.toBeUndefined();
});

test('a request to a slow replica is sent once', async () => {
  let received = 0;
  const slow: RequestListener = (request, response) => {
    if (isProbe(request.url)) return void response.end();
    received += 1;
    setTimeout(() => response.end('slow'), 700);
  };
  const replicas = over((await startReplica(slow)).url, (await startReplica(slow)).url);
  expect((await send(replicas)).body.toString()).toBe('slow');
  expect(received).toBe(1);
});

test('a cancelled request ends at once, and is not sent to another replica', async () => {
  let received = 0;
  // Neither replica responds, so the request is in progress when it is cancelled.
  const counting: RequestListener = (request) => {
    if (!isProbe(request.url)) received += 1;
  };
  const replicas = over((await startReplica(counting)).url, (await startReplica(counting)).url);
  const stopping = new AbortController();
  const cancelled = expect(send(replicas, { signal: stopping.signal })).rejects.toThrow('cancelled');
  await eventually('the request has arrived', async () => received === 1);
  stopping.abort();
  await cancelled;
  await sleep(20);
  expect(received).toBe(1);
});

/** What becomes of a request whose replica dies, hangs or is only slow. The replicas are real servers; one that hangs is a stopped process. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@carecover/local/testing';
import { type ReplicaRequest, Replicas } from './replicas';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** A replica that answers with its name, or as told; its probe too. */
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
/** Takes everything and answers nothing, as a stopped process does. */
const hanging: RequestListener = () => undefined;
const isProbe = (url: string | undefined) => url === '/health/live';

function over(...urls: string[]): Replicas {
  const replicas = new Replicas(urls, { probeEveryMs: 100, probeMs: 200, answerMs: 5_000 });
  open.push(replicas);
  return replicas;
}

function send(replicas: Replicas, changes: Partial<ReplicaRequest> = {}) {
  const request = { method: 'POST', path: '/', headers: {}, body: null, isRepeatable: true } as const;
  return replicas.send({ ...request, ...changes });
}

test('a replica that dies with a request loses it to the next one, if the request is repeatable', async () => {
  const dying = await startReplica((request) => void request.socket.destroy());
  const living = await startReplica(answering('living'));
  const replicas = over(dying.url, living.url);
  for (let attempt = 0; attempt < 4; attempt++) expect((await send(replicas)).text).toBe('living');
  await expect(send(over(dying.url, dying.url))).rejects.toThrow();
});

test('a request that is not repeatable is never sent to a second replica that may be the second to receive it', async () => {
  let received = 0;
  const dying = await startReplica((request) => {
    if (isProbe(request.url)) return;
    received += 1;
    request.socket.destroy();
  });
  await expect(send(over(dying.url, dying.url), { isRepeatable: false })).rejects.toThrow();
  expect(received).toBe(1);
  const living = await startReplica(answering('living'));
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const replicas = over(nobody, nobody, living.url);
  expect((await send(replicas, { isRepeatable: false })).text).toBe('living');
});

test('a replica that hangs loses its requests once its probe fails, and is asked last until it answers one', async () => {
  const asked: string[] = [];
  let hangs = true;
  const paused = await startReplica((request, response) => {
    if (!isProbe(request.url)) asked.push('paused');
    if (!hangs) response.end('paused');
  });
  const living = await startReplica(answering('living'));
  const replicas = over(paused.url, living.url);
  const together = await Promise.all(Array.from({ length: 4 }, () => send(replicas)));
  expect(together.map(({ text }) => text)).toEqual(Array(4).fill('living'));
  const before = asked.length;
  for (let attempt = 0; attempt < 4; attempt++) expect((await send(replicas)).text).toBe('living');
  expect(asked).toHaveLength(before);
  hangs = false;
  await expect(
    (async () => {
      while ((await send(replicas)).text !== 'paused') await sleep(10);
    })(),
  ).resolves.toBeUndefined();
});

test('a replica that is slow but alive is waited for, and the request is sent once', async () => {
  let received = 0;
  const slow: RequestListener = (request, response) => {
    if (isProbe(request.url)) return void response.end();
    received += 1;
    setTimeout(() => response.end('slow'), 700);
  };
  const replicas = over((await startReplica(slow)).url, (await startReplica(slow)).url);
  expect((await send(replicas)).text).toBe('slow');
  expect(received).toBe(1);
});

test('a request that is given up ends at once, and no other replica is asked', async () => {
  let others = 0;
  const paused = await startReplica(hanging);
  const living = await startReplica(() => (others += 1));
  const stopping = new AbortController();
  const replicas = over(paused.url, living.url);
  // Takes the turn of the one that would answer.
  const sent = send(replicas, { signal: stopping.signal });
  await sleep(20);
  const before = others;
  stopping.abort();
  await expect(sent).rejects.toThrow('given up');
  expect(others).toBe(before);
});

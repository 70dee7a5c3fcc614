import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificateIn } from '@carecover/testing/servers';
import { boundConnections, CONNECTION_LIMITS } from './connection-deadlines';

const MIB = 1024 * 1024;
/** Size in MiB of the file that the server sends: more than the kernel buffers for a peer that does not read. */
const FILE_MIB = 40;
const REQUEST_MS = 4_000;
/** Pause in milliseconds after each MiB that the client reads. Reading the whole file therefore takes longer than REQUEST_MS. */
const PAUSE_MS = 150;

let server: Server;
let sent: ServerResponse | undefined;

beforeAll(async () => {
  server = createServer((_request, response) => {
    sent = response;
    Readable.from(Array.from({ length: FILE_MIB }, () => Buffer.alloc(MIB))).pipe(response);
  });
  boundConnections(server, { ...CONNECTION_LIMITS, requestMs: REQUEST_MS, checkMs: 50 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Requests the file, and returns when the head of the response has arrived. The body is not read yet. */
async function download(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

test('a file that takes longer than the limit is complete if the client reads it steadily', async () => {
  const response = await download();
  const startedMs = performance.now();
  let [bytes, unpaused] = [0, 0];
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    unpaused += (chunk as Buffer).length;
    if (unpaused < MIB) continue;
    unpaused = 0;
    await sleep(PAUSE_MS);
  }
  expect(bytes).toBe(FILE_MIB * MIB);
  expect(performance.now() - startedMs).toBeGreaterThan(REQUEST_MS);
});

test('a connection whose client stops reading a file is reset', async () => {
  const response = await download();
  response.on('error', () => undefined).once('data', () => response.pause());
  if (sent === undefined) throw new Error('no response was sent');
  await once(sent, 'close');
  expect(sent.writableFinished).toBe(false);
});

test('a request over TLS that takes longer than the handshake and its head can gets its response', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-tls-'));
  const { leaf, key } = await certificateIn(folder);
  const limits = { ...CONNECTION_LIMITS, headMs: 400, checkMs: 50 };
  const secure = boundConnections(
    createSecureServer({ cert: await readFile(leaf), key: await readFile(key) }, (_request, response) => {
      void sleep(2_000).then(() => response.end('done'));
    }),
    limits,
  );
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const { port } = secure.address() as AddressInfo;
  const asked = secureRequest({ port, host: '127.0.0.1', agent: false, rejectUnauthorized: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  secure.closeAllConnections();
  secure.close();
  await rm(folder, { recursive: true });
});

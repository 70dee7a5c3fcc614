/**
 * A webhook receiver that records the latency of each delivery since the commit of its event. `/expect` deletes the records, and
 * `/received` returns them. The receiver never responds to a request to `/dead`, responds late to a request to `/slow`, and does not record
 * requests to these two paths. It listens on one port per destination, and all ports share the records.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBareProcess } from '../harness/bare-process';
import { readText } from './read-text';

export interface Received {
  /** The number of received deliveries. The same event at the same URL counts once. */
  readonly count: number;
  readonly repeated: number;
  /** When the last delivery was received, in epoch milliseconds. */
  readonly lastAt: number;
  /** The times from commit to receipt, in milliseconds. */
  readonly latencies: readonly number[];
}

const SLOW_MS = 3_000;

const nowMs = () => performance.timeOrigin + performance.now();

runBareProcess(async ({ destinations }: { destinations: number }) => {
  let seen = new Set<string>();
  let latencies: number[] = [];
  let lastAt = 0;
  let repeated = 0;

  function receive(request: IncomingMessage, text: string): void {
    const at = nowMs();
    const delivery = `${request.url} ${request.headers['webhook-id']}`;
    if (seen.has(delivery)) {
      repeated += 1;
      return;
    }
    seen.add(delivery);
    const { data } = JSON.parse(text) as { data: { committed_at?: number } };
    if (data.committed_at === undefined) return;
    latencies.push(at - data.committed_at);
    lastAt = at;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/received') {
      const state: Received = { count: latencies.length, repeated, lastAt, latencies };
      response.end(JSON.stringify(state));
      return;
    }
    if (request.url?.startsWith('/dead')) {
      request.resume();
      return;
    }
    if (request.url?.startsWith('/slow')) {
      request.resume();
      await sleep(SLOW_MS);
    } else if (request.url === '/expect') {
      seen = new Set();
      latencies = [];
      repeated = 0;
    } else {
      receive(request, await readText(request));
    }
    response.writeHead(204).end();
  }

  async function listen(): Promise<string> {
    const server = createServer(respond);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  return { urls: await Promise.all(Array.from({ length: destinations }, listen)) };
});

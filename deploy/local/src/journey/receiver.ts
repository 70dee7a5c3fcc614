/** A webhook receiver such as an integrator writes: it verifies the signature, keeps the event in memory, and responds 204. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '@carecover/client';
import { Webhook } from 'standardwebhooks';

export interface Receiver {
  readonly url: string;
  /** The received events by ID, in the order of their first delivery. */
  readonly events: ReadonlyMap<string, Event>;
  /** Returns the number of received requests with an invalid signature. */
  readonly forged: () => number;
  /**
   * Sets the signing secret of the endpoint. Until the secret is set, the receiver responds 503, so that deliveries are attempted again
   * later.
   */
  trust(secret: string): void;
  /** Waits until `isComplete` returns true for the received events. Returns false if it does not within `timeoutMs`. */
  waitUntil(isComplete: (events: readonly Event[]) => boolean, timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const events = new Map<string, Event>();
  let webhook: Webhook | null = null;
  let forged = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    if (webhook === null) {
      response.writeHead(503).end();
      return;
    }
    try {
      const event = webhook.verify(body, request.headers as Record<string, string>) as Event;
      if (!events.has(event.id)) events.set(event.id, event);
      response.writeHead(204).end();
    } catch {
      forged += 1;
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    events,
    forged: () => forged,
    trust(secret) {
      webhook = new Webhook(secret);
    },
    async waitUntil(isComplete, timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      while (!isComplete([...events.values()])) {
        if (Date.now() > deadline) return false;
        await sleep(25);
      }
      return true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

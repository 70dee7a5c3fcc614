/** A webhook receiver for tests: an HTTP server on this machine whose responses a test sets. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Event } from '@carecover/contract';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: Event;
  /** When the request was complete, by `performance.now()`. */
  readonly atMs: number;
}

/** A function that responds to a request. The default one responds with 204. */
export type Behaviour = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Sets the function that responds to further requests. */
  behave(behaviour: Behaviour): void;
  /** Delays further responses. The returned function sends the delayed responses and restores the default function. */
  hold(): () => void;
  /** Waits until the receiver has received `count` requests in total. */
  untilReceived(count: number): Promise<void>;
  stop(): Promise<void>;
}

export const respondWith =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Verifies the signature of a received request. @throws Error if it is not valid for the secret */
export function verify(secret: string, { body, headers }: Received): void {
  new Webhook(secret).verify(body, headers);
}

export async function startReceiver(tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour: Behaviour = respondWith(204);
  let arrived: () => void = () => undefined;
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const entry = { headers, body, event: JSON.parse(body), atMs: performance.now() };
    received.push(entry);
    arrived();
    behaviour(response, entry, request);
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://localhost:${port}/hook`,
    port,
    received,
    behave(next) {
      behaviour = next;
    },
    hold() {
      const held: ServerResponse[] = [];
      behaviour = (response) => held.push(response);
      return () => {
        behaviour = respondWith(204);
        for (const response of held) response.writeHead(204).end();
      };
    },
    async untilReceived(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Webhook receivers on this machine, for tests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWholeBody } from './read-whole-body';

export interface Delivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  /** The URL of the receiver with a trailing slash. The receiver accepts every path below it. */
  readonly url: string;
  close(): void;
}

/**
 * Starts a webhook receiver.
 *
 * @param onDelivery called with each completely received delivery, before the response
 * @param status the HTTP status of every response
 */
export async function startReceiver(
  onDelivery: (delivery: Delivery) => void,
  status = 204,
): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = await readWholeBody(request);
    if (body === undefined) return;
    onDelivery({ path: request.url ?? '', headers, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts a receiver that accepts every delivery and one that rejects every delivery. */
export async function startReceivers() {
  const [accepting, rejecting] = [
    await startReceiver(() => undefined),
    await startReceiver(() => undefined, 500),
  ];
  return {
    accepting: accepting.url,
    rejecting: rejecting.url,
    close() {
      accepting.close();
      rejecting.close();
    },
  };
}

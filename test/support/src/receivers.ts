/** Webhook receivers on this machine, which hand on what they are sent whole. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wholeBody } from './whole-body';

export interface Delivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  /** Ends with a slash; every path below it is received too. */
  readonly url: string;
  close(): void;
}

/** @param take is given each delivery before it is answered, always with this status */
export async function startReceiver(take: (delivery: Delivery) => void, status = 204): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = await wholeBody(request);
    if (body === undefined) return;
    take({ path: request.url ?? '', headers, body });
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

/** One that accepts everything, and one that rejects everything. */
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

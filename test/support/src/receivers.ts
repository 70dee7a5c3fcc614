/** Webhook receivers: one that accepts everything, one that refuses everything, and one that keeps in mind what it heard. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

async function answering(status: number) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

export async function startReceivers() {
  const [accepting, refusing] = [await answering(204), await answering(500)];
  return {
    accepting: accepting.url,
    refusing: refusing.url,
    close() {
      for (const { server } of [accepting, refusing]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

export interface Listener {
  readonly url: string;
  /** By event, how often it came. */
  readonly heard: ReadonlyMap<string, number>;
  close(): void;
}

export async function startListener(): Promise<Listener> {
  const heard = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    heard.set(id, (heard.get(id) ?? 0) + 1);
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    heard,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

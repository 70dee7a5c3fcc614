/** Two webhook receivers: one that accepts everything, one that refuses everything. */
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

/**
 * The private server of a process whose own port is public: health and metrics. It must not be reachable from outside.
 *
 * Failure policy: a process that is not ready, or whose metrics can't be read, responds 503.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpMetrics } from '@carecover/telemetry';
import { GracefulStop } from './close-server';
import { boundConnections } from './connection-deadlines';

export interface PrivateServerOptions {
  readonly host: string;
  /** The port of the server; with 0, the operating system chooses a free port. */
  readonly port: number;
  readonly metrics: HttpMetrics;
  /** Checks that the dependencies of the process respond. @throws if the process is not ready */
  readonly ready: () => Promise<unknown>;
}

/** Starts the private server of a process. `close` accepts no new connection and waits for the responses to the requests in progress. */
export async function startPrivateServer({ host, port, metrics, ready }: PrivateServerOptions) {
  const server = boundConnections(createServer());
  const stop = new GracefulStop(0);
  server.prependListener('request', stop.onRequest);
  server.on('request', async (request, response) => {
    const { url = '' } = request;
    try {
      if (url === '/metrics') {
        response.setHeader('Content-Type', metrics.contentType).end(await metrics.text());
        return;
      }
      if (url === '/health/ready') await ready();
      response.writeHead(url === '/health/ready' || url === '/health/live' ? 200 : 404).end();
    } catch {
      response.writeHead(503).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      await stop.drain();
      await stop.close(server);
    },
  };
}

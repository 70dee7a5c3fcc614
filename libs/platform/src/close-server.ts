/** Graceful stop of an HTTP server: it accepts no new connection and responds to the requests in progress. */
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';

const INTERVAL_MS = 50;

/** Closes the server. Returns when the last request in progress has its response and every connection is closed. */
export function closeServer(server: Server | HttpsServer): Promise<void> {
  return new Promise((resolve) => {
    // A keep-alive connection becomes idle only when its request ends, so idle connections are closed repeatedly.
    const closing = setInterval(() => server.closeIdleConnections(), INTERVAL_MS);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
  });
}

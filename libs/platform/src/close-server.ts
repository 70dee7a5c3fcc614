/** How an HTTP server is stopped: it takes no new connection, and what it was asked already is answered. */
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';

const INTERVAL_MS = 50;

/** Returns when the last request under way was answered and every connection is closed. */
export function closeServer(server: Server | HttpsServer): Promise<void> {
  return new Promise((resolve) => {
    // A connection whose request ends after this would stay open for the next one.
    const closing = setInterval(() => server.closeIdleConnections(), INTERVAL_MS);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
  });
}

/**
 * Graceful stop of an HTTP server in two phases. In the first, it accepts requests as before, and closes each connection after its next
 * response; `/health/ready` responds 503 during it, so that a load balancer sends new connections elsewhere. In the second, it accepts no
 * new connection and responds to the requests in progress.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { COMMON_SETTINGS, Config } from '@carecover/setup/config';

const INTERVAL_MS = 50;
/** Longer than a load balancer needs to detect that a process is not ready, and than most clients pause between requests. */
const DEFAULT_DRAIN_MS = 5_000;

/** Returns the time of the first phase. It is 0 by default where nobody balances the load: on a developer's machine and in tests. */
export function drainMsOf({
  DRAIN_MS,
  CARECOVER_MODE,
}: Pick<Config<typeof COMMON_SETTINGS>, 'DRAIN_MS' | 'CARECOVER_MODE'>): number {
  return DRAIN_MS ?? (CARECOVER_MODE === 'production' ? DEFAULT_DRAIN_MS : 0);
}

/**
 * Stops an HTTP server gracefully. A server that closed idle connections at once would lose the requests that clients send on them in that
 * moment.
 *
 * @example
 * const stop = new GracefulStop(drainMs);
 * server.prependListener('request', stop.onRequest);
 * await stop.drain();
 * await stop.close(server);
 */
export class GracefulStop {
  private readonly responses = new Set<ServerResponse>();
  private isStopping = false;

  /** @param drainMs time of the first phase */
  constructor(private readonly drainMs: number) {}

  /** Must be called with each request before its response is sent. */
  readonly onRequest = (_request: IncomingMessage, response: ServerResponse): void => {
    if (this.isStopping) response.shouldKeepAlive = false;
    this.responses.add(response);
    response.once('close', () => this.responses.delete(response));
  };

  /** The first phase. */
  async drain(): Promise<void> {
    this.isStopping = true;
    // Node.js adds "Connection: close" to a response whose head was not sent yet.
    for (const response of this.responses) response.shouldKeepAlive = false;
    if (this.drainMs > 0) await sleep(this.drainMs);
  }

  /** The second phase. Returns when the last request in progress has its response and every connection is closed. */
  close(server: Server | HttpsServer): Promise<void> {
    return new Promise((resolve) => {
      // A keep-alive connection becomes idle only when its request ends, so idle connections are closed repeatedly.
      const closing = setInterval(() => server.closeIdleConnections(), INTERVAL_MS);
      server.close(() => {
        clearInterval(closing);
        resolve();
      });
    });
  }
}

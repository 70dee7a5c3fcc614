/**
 * Graceful stop of an HTTP server in two phases. In the first phase, the server accepts requests as before, and closes each connection
 * after its next response; `/health/ready` responds 503, so that a load balancer sends new connections to other processes. In the second
 * phase, the server accepts no new connection and responds to the requests in progress.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { COMMON_SETTINGS, Config } from '@carecover/config';
import { onResponseEnd } from './response-end';

const INTERVAL_MS = 50;
/**
 * The default duration of the first phase in milliseconds: longer than a load balancer needs to detect that a process is not ready, and
 * longer than most clients pause between requests.
 */
const DEFAULT_DRAIN_MS = 5_000;

/**
 * Returns the duration of the first phase in milliseconds. By default, it is 0 where no load balancer is used: on a developer's machine
 * and in tests.
 */
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

  /** @param drainMs duration of the first phase in milliseconds */
  constructor(private readonly drainMs: number) {}

  /** A listener of the server's `request` event. It must be called with each request before the response is sent. */
  readonly onRequest = (_request: IncomingMessage, response: ServerResponse): void => {
    if (this.isStopping) response.shouldKeepAlive = false;
    this.responses.add(response);
    onResponseEnd(response, () => this.responses.delete(response));
  };

  /** Executes the first phase. Resolves when its duration has passed. */
  async drain(): Promise<void> {
    this.isStopping = true;
    // With `shouldKeepAlive = false`, Node.js adds "Connection: close" to a response whose head was not sent yet.
    for (const response of this.responses) response.shouldKeepAlive = false;
    if (this.drainMs > 0) await sleep(this.drainMs);
  }

  /** Executes the second phase. Resolves when the last request in progress has its response and every connection is closed. */
  close(server: Server | HttpsServer): Promise<void> {
    return new Promise((resolve) => {
      // A keep-alive connection becomes idle only when its request ends, so idle connections are closed at intervals until none is left.
      const closing = setInterval(() => server.closeIdleConnections(), INTERVAL_MS);
      server.close(() => {
        clearInterval(closing);
        resolve();
      });
    });
  }
}

/**
 * A service behind the gateway: its replicas take turns, over connections that stay open.
 *
 * Failure policy: closed. A replica that can't be connected to is passed over for the next one, which is safe since it got
 * nothing; anything that goes wrong later is 503 with Retry-After, and the caller's retry under the same key has one effect.
 * A service that is slow holds at most a bounded number of requests, so it can't take the gateway's others with it.
 */
import { isNativeError } from 'node:util/types';
import type { ServiceName } from '@carecover/contract';
import { unavailable } from '@carecover/platform';
import { type Dispatcher, Pool } from 'undici';

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From `/v1` on, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export interface UpstreamLimits {
  readonly connectMs: number;
  /** Until the answer begins; longer than the longest wait of any operation. */
  readonly answerMs: number;
  /** Connections to one replica, and so requests that it works on for us at once. */
  readonly connections: number;
  /** Requests under way or waiting for a connection; one more is 503 at once. */
  readonly inFlight: number;
}

const LIMITS: UpstreamLimits = { connectMs: 1_000, answerMs: 25_000, connections: 64, inFlight: 1_024 };

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function neverConnected(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && NOT_CONNECTED.has(String(error.code));
}

export class Upstream {
  private readonly replicas: readonly Pool[];
  private next = 0;
  private inFlight = 0;

  constructor(
    private readonly name: ServiceName,
    urls: readonly string[],
    private readonly limits: UpstreamLimits = LIMITS,
  ) {
    this.replicas = urls.map(
      (url) =>
        new Pool(new URL(url).origin, {
          connections: limits.connections,
          connect: { timeout: limits.connectMs },
          headersTimeout: limits.answerMs,
          bodyTimeout: limits.answerMs,
        }),
    );
  }

  /** Sends the request to a replica; the answer's body must be read. @throws Refusal service_unavailable */
  async send(request: UpstreamRequest): Promise<Dispatcher.ResponseData> {
    if (this.inFlight >= this.limits.inFlight) throw unavailable(`The ${this.name} service`);
    this.inFlight += 1;
    try {
      return await this.sendToReplica(request);
    } finally {
      this.inFlight -= 1;
    }
  }

  private async sendToReplica(request: UpstreamRequest): Promise<Dispatcher.ResponseData> {
    const first = this.next++;
    for (let attempt = 0; attempt < this.replicas.length; attempt++) {
      const replica = this.replicas[(first + attempt) % this.replicas.length];
      try {
        if (replica !== undefined) return await replica.request(request);
      } catch (error) {
        if (!neverConnected(error)) break;
      }
    }
    throw unavailable(`The ${this.name} service`);
  }

  /** Lets requests under way finish, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }
}

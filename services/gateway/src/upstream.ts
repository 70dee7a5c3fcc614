/**
 * A service behind the gateway: its replicas take turns, over connections that stay open.
 *
 * Failure policy: closed. A replica that can't be connected to is passed over for the next one, which is safe since it got
 * nothing; anything that goes wrong later is 503 with Retry-After, and the caller's retry under the same key has one effect.
 * A service that is slow holds at most a bounded number of requests, so it can't take the gateway's others with it.
 */
import { isNativeError } from 'node:util/types';
import type { ServiceName } from '@carecover/contract';
import { type Log, type Refusal, unavailable } from '@carecover/platform';
import { Pool } from 'undici';

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From `/v1` on, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** A whole answer: its text is read before anything goes out, so one that breaks off in the middle can still be told as 503. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
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

async function ask(replica: Pool, request: UpstreamRequest): Promise<UpstreamAnswer> {
  const { statusCode, headers, body } = await replica.request(request);
  const text = await body.text();
  // The caller has been let in, so it is our own word that was not believed.
  if (statusCode === 401) throw new Error('the service did not believe the context');
  return { status: statusCode, headers, text };
}

export class Upstream {
  private readonly replicas: readonly Pool[];
  private next = 0;
  private inFlight = 0;

  constructor(
    private readonly name: ServiceName,
    urls: readonly string[],
    private readonly log: Log,
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

  /** Asks a replica. @throws Refusal service_unavailable */
  async send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    if (this.inFlight >= this.limits.inFlight) throw this.away('it has too many requests under way');
    this.inFlight += 1;
    try {
      return await this.askReplicas(request);
    } finally {
      this.inFlight -= 1;
    }
  }

  private async askReplicas(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const first = this.next++;
    let cause: unknown;
    for (let attempt = 0; attempt < this.replicas.length; attempt++) {
      const replica = this.replicas[(first + attempt) % this.replicas.length];
      if (replica === undefined) break;
      try {
        return await ask(replica, request);
      } catch (error) {
        cause = error;
        if (!neverConnected(error)) break;
      }
    }
    throw this.away(cause);
  }

  private away(cause: unknown): Refusal {
    this.log.warn({ err: cause, upstream: this.name }, 'a service is away');
    return unavailable(`The ${this.name} service`);
  }

  /** Lets requests under way finish, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }
}

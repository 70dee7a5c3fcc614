/**
 * A service behind the gateway: its replicas share its requests over persistent connections.
 *
 * Failure policy: closed. The platform's replicas.ts chooses the replica and sends a repeatable request to another one after a failure. A
 * request that fails on every replica gets 503 with Retry-After; if the client retries it with the same idempotency key, it has one effect.
 * The numbers of requests and files in progress are limited by project-capacity.ts.
 */
import type { ServiceName } from '@carecover/contract';
import { ApiError, unavailable } from '@carecover/domain';
import {
  type ReplicaLimits,
  type ReplicaRequest,
  type ReplicaResponse,
  Replicas,
  type StreamedResponse,
} from '@carecover/http';
import type { Log } from '@carecover/telemetry';
import { CONNECTIONS, FILE_CONNECTIONS } from './project-capacity';

export const UPSTREAM_LIMITS: ReplicaLimits = {
  connectMs: 1_000,
  responseMs: 25_000,
  connections: CONNECTIONS,
  probeIntervalMs: 1_000,
  probeTimeoutMs: 1_000,
};

/** A period in which a service does not respond or is overloaded. */
interface Outage {
  readonly sinceMs: number;
  /** When the latest request of the outage got 503, in milliseconds of `performance.now()`. */
  lastMs: number;
  requests: number;
}

/** An outage ends when no request failed for this time in milliseconds. */
const RECOVERY_MS = 1_000;

export class Upstream {
  private readonly replicas: Replicas;
  private readonly files: Replicas;
  private outage: Outage | null = null;
  /** The number of configured replicas. */
  readonly replicaCount: number;

  constructor(
    private readonly name: ServiceName,
    urls: readonly string[],
    private readonly log: Log,
  ) {
    this.replicaCount = urls.length;
    this.replicas = new Replicas(urls, UPSTREAM_LIMITS);
    this.files = new Replicas(urls, { ...UPSTREAM_LIMITS, connections: FILE_CONNECTIONS });
  }

  /** Sends a request to a replica. @throws ApiError service_unavailable, or that of the request's `onBytes` */
  send(request: ReplicaRequest): Promise<ReplicaResponse> {
    return this.reach(() => this.replicas.send(request));
  }

  /**
   * Sends a request whose response is a file. Files have other connections than {@link send}, because a client that reads slowly keeps a
   * connection in use.
   *
   * @throws ApiError service_unavailable if no replica responds
   */
  openFile(request: ReplicaRequest): Promise<StreamedResponse> {
    return this.reach(async () => {
      const opened = await this.files.open(request);
      // `reach` rejects this response, so its body is not read. Without its end, the replica would count it as in progress.
      if (opened.status === 401) opened.body.on('error', () => undefined).destroy();
      return opened;
    });
  }

  private async reach<T extends { readonly status: number }>(send: () => Promise<T>): Promise<T> {
    let response: T;
    try {
      response = await send();
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw this.recordFailure(error);
    }
    // The gateway has admitted the client, so 401 means that the service rejected the gateway's signed context.
    if (response.status === 401) throw this.recordFailure(new Error('the service rejected the context'));
    if (this.outage !== null) this.endOutageAfterRecovery(this.outage);
    return response;
  }

  private recordFailure(cause: unknown): ApiError {
    if (this.outage === null) this.log.warn({ err: cause, upstream: this.name }, 'a service is unavailable');
    const nowMs = performance.now();
    this.outage ??= { sinceMs: nowMs, lastMs: nowMs, requests: 0 };
    this.outage.lastMs = nowMs;
    this.outage.requests++;
    return unavailable(`The ${this.name} service`);
  }

  private endOutageAfterRecovery({ sinceMs, lastMs, requests }: Outage): void {
    if (performance.now() - lastMs < RECOVERY_MS) return;
    this.outage = null;
    const seconds = Math.round((performance.now() - sinceMs) / 1000);
    this.log.warn({ upstream: this.name, seconds, requests }, 'a service is available again');
  }

  /** Waits for requests in progress, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all([this.replicas.close(), this.files.close()]);
  }
}

/**
 * A service behind the gateway: its replicas share its requests, over connections that stay open.
 *
 * Failure policy: closed. Which replica is asked, and when a request goes to another one, is in the platform's replicas.ts; a request
 * that has one effect however often it is sent is repeated there. What fails on every replica is 503 with Retry-After, and the client's
 * retry under the same key has one effect. A service that is slow holds at most a bounded number of requests, shared fairly between
 * projects, so neither it nor a project that sends much can take the gateway's others with it.
 */
import type { ServiceName } from '@carecover/contract';
import {
  type ApiError,
  FairSemaphore,
  type Log,
  type ReplicaLimits,
  type ReplicaRequest,
  type ReplicaResponse,
  Replicas,
  unavailable,
} from '@carecover/platform';

export interface UpstreamLimits extends ReplicaLimits {
  /** Requests that wait for a connection; one more is 503 at once. */
  readonly waiting: number;
  /** The same of one project. */
  readonly waitingOfProject: number;
  /** How long one waits for a connection. */
  readonly waitMs: number;
}

const LIMITS: UpstreamLimits = {
  connectMs: 1_000,
  responseMs: 25_000,
  connections: 64,
  probeIntervalMs: 1_000,
  probeTimeoutMs: 1_000,
  waiting: 1_024,
  waitingOfProject: 512,
  waitMs: 10_000,
};

/** A service that does not answer, or not as fast as it is asked. */
interface Outage {
  readonly sinceMs: number;
  /** When a request was last answered 503. */
  lastMs: number;
  requests: number;
}

/** A service that answered all requests for so long is back. */
const CALM_MS = 1_000;

export class Upstream {
  private readonly replicas: Replicas;
  private readonly permits: FairSemaphore;
  private outage: Outage | null = null;

  constructor(
    private readonly name: ServiceName,
    urls: readonly string[],
    private readonly log: Log,
    limits: UpstreamLimits = LIMITS,
  ) {
    this.replicas = new Replicas(urls, limits);
    this.permits = new FairSemaphore({
      permits: limits.connections * urls.length,
      maxWaiting: limits.waiting,
      maxWaitingPerQueue: limits.waitingOfProject,
      waitMs: limits.waitMs,
      rejection: (reason) => this.away(reason),
    });
  }

  /** Sends a request to a replica on behalf of a project. @throws ApiError service_unavailable */
  async send(project: string, request: ReplicaRequest): Promise<ReplicaResponse> {
    if (!this.permits.tryAcquire()) await this.permits.acquire(project);
    try {
      return await this.sendToReplicas(request);
    } finally {
      this.permits.release();
    }
  }

  private async sendToReplicas(request: ReplicaRequest): Promise<ReplicaResponse> {
    let response: ReplicaResponse;
    try {
      response = await this.replicas.send(request);
    } catch (error) {
      throw this.away(error);
    }
    // The client has been admitted, so it is our own signature that was rejected.
    if (response.status === 401) throw this.away(new Error('the service rejected the context'));
    if (this.outage !== null) this.noteReturn(this.outage);
    return response;
  }

  private away(cause: unknown): ApiError {
    if (this.outage === null) this.log.warn({ err: cause, upstream: this.name }, 'a service is away');
    const nowMs = performance.now();
    this.outage ??= { sinceMs: nowMs, lastMs: nowMs, requests: 0 };
    this.outage.lastMs = nowMs;
    this.outage.requests++;
    return unavailable(`The ${this.name} service`);
  }

  private noteReturn({ sinceMs, lastMs, requests }: Outage): void {
    if (performance.now() - lastMs < CALM_MS) return;
    this.outage = null;
    const seconds = Math.round((performance.now() - sinceMs) / 1000);
    this.log.warn({ upstream: this.name, seconds, requests }, 'a service is back');
  }

  /** Lets requests in flight finish, then closes the connections. */
  close(): Promise<void> {
    return this.replicas.close();
  }
}

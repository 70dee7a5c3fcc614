/**
 * A service behind the gateway: its replicas share its requests over persistent connections.
 *
 * Failure policy: closed. The platform's replicas.ts chooses the replica and sends a repeatable request to another one after a failure. A
 * request that fails on every replica gets 503 with Retry-After; if the client retries it with the same idempotency key, it has one effect.
 * The number of requests that wait for a slow service is limited, per project and in total, so other services and projects are not
 * affected.
 */
import type { ServiceName } from '@carecover/contract';
import {
  ApiError,
  FairSemaphore,
  type Log,
  type ReplicaLimits,
  type ReplicaRequest,
  type ReplicaResponse,
  Replicas,
  type StreamedResponse,
  unavailable,
} from '@carecover/platform';

export interface UpstreamLimits extends ReplicaLimits {
  /** Maximum number of requests that wait for a connection; a further one gets 503 at once. */
  readonly waiting: number;
  /** Maximum number of requests of one project that wait for a connection. */
  readonly waitingOfProject: number;
  /** The maximum time in milliseconds that a request waits for a connection. */
  readonly waitMs: number;
  /** Maximum number of files that clients download at the same time. A request for a further file is answered with 503 at once. */
  readonly files: number;
  /** Maximum number of files that clients of one project download at the same time, such as exports of valuation runs. */
  readonly filesOfProject: number;
}

export const UPSTREAM_LIMITS: UpstreamLimits = {
  connectMs: 1_000,
  responseMs: 25_000,
  connections: 64,
  probeIntervalMs: 1_000,
  probeTimeoutMs: 1_000,
  waiting: 1_024,
  waitingOfProject: 512,
  waitMs: 10_000,
  files: 16,
  filesOfProject: 4,
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
  /** The number of open files by project. */
  private readonly openFiles = new Map<string, number>();
  private readonly permits: FairSemaphore;
  private outage: Outage | null = null;

  constructor(
    private readonly name: ServiceName,
    urls: readonly string[],
    private readonly log: Log,
    private readonly limits: UpstreamLimits = UPSTREAM_LIMITS,
  ) {
    this.replicas = new Replicas(urls, limits);
    this.files = new Replicas(urls, { ...limits, connections: limits.files });
    this.permits = new FairSemaphore({
      permits: limits.connections * urls.length,
      maxWaiting: limits.waiting,
      maxWaitingPerQueue: limits.waitingOfProject,
      waitMs: limits.waitMs,
      rejection: (reason) => this.recordFailure(reason),
    });
  }

  /** Sends a request to a replica on behalf of a project. @throws ApiError service_unavailable, or that of the request's `onBytes` */
  async send(project: string, request: ReplicaRequest): Promise<ReplicaResponse> {
    if (!this.permits.tryAcquire()) await this.permits.acquire(project);
    try {
      return await this.sendToReplicas(request);
    } finally {
      this.permits.release();
    }
  }

  /**
   * Sends a request whose response is a file. Files have other connections than {@link send}, because a client that reads slowly keeps a
   * connection in use.
   *
   * @throws ApiError service_unavailable if no replica responds, or if the maximum number of open files, of the project or in total, is
   * reached
   */
  async openFile(project: string, request: ReplicaRequest): Promise<StreamedResponse> {
    const open = this.openFiles.get(project) ?? 0;
    const total = [...this.openFiles.values()].reduce((sum, count) => sum + count, 0);
    if (open >= this.limits.filesOfProject || total >= this.limits.files)
      throw unavailable('Capacity for files');
    this.openFiles.set(project, open + 1);
    const release = () => {
      const left = (this.openFiles.get(project) ?? 1) - 1;
      if (left === 0) this.openFiles.delete(project);
      else this.openFiles.set(project, left);
    };
    try {
      const response = await this.reach(async () => {
        const opened = await this.files.open(request);
        // `reach` rejects this response, so its body is not read. Without its end, the replica would count it as in progress.
        if (opened.status === 401) opened.body.on('error', () => undefined).destroy();
        return opened;
      });
      response.body.once('close', release);
      return response;
    } catch (error) {
      release();
      throw error;
    }
  }

  private sendToReplicas(request: ReplicaRequest): Promise<ReplicaResponse> {
    return this.reach(() => this.replicas.send(request));
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

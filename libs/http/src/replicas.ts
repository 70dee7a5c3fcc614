/**
 * HTTP client for the replicas of one service, with keep-alive connections. A request is sent to the replica with the fewest requests in
 * progress.
 *
 * Failure policy: a request is sent to the next replica if no connection is possible, or if it is repeatable and its replica crashes or
 * fails the liveness probe. A failed replica has the lowest priority until a probe succeeds. A request to a slow replica that passes its
 * probes is not sent to another replica.
 */
import { Readable } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { ApiError } from '@carecover/domain';
import { Pool, request as probeRequest } from 'undici';
import { collectResponse } from './collect-response';
import { ID_SCOPE_HEADER } from './context';

export interface ReplicaRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream can be sent only once, so such a request is sent to one replica. */
  readonly body: Buffer | string | Readable | null;
  /** Whether the request can be sent twice without a second effect. */
  readonly isRepeatable: boolean;
  /** What the request is for the IDs that it makes; absent: they are random. It is sent to one replica only, so that no ID is made twice. */
  readonly idScope?: string | undefined;
  /** Cancels the request. */
  readonly signal?: AbortSignal;
  /**
   * A function that is called when a part of the response's body has arrived, with the number of bytes that have arrived so far. If it
   * throws an ApiError, the request ends with this error, and is sent to no other replica.
   */
  readonly onBytes?: (size: number) => void;
}

/** A complete response. A response that is interrupted is an error. */
export interface ReplicaResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A response whose body has not been read. An error or the destruction of the body closes its connection. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: ReplicaResponse['headers'];
  readonly body: Readable;
}

export interface ReplicaLimits {
  readonly connectMs: number;
  /**
   * Maximum time in milliseconds until the response starts, and between two parts of the response. It is longer than any operation takes.
   */
  readonly responseMs: number;
  /** Maximum number of connections, and so of requests in progress, per replica. */
  readonly connections: number;
  /** Interval in milliseconds of liveness probes while a request waits for the replica, or after the replica failed. */
  readonly probeIntervalMs: number;
  /** Timeout of a liveness probe in milliseconds. */
  readonly probeTimeoutMs: number;
}

const DEFAULT_LIMITS: ReplicaLimits = {
  connectMs: 1_000,
  responseMs: 10_000,
  connections: 64,
  probeIntervalMs: 1_000,
  probeTimeoutMs: 1_000,
};

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return isNativeError(error) && 'code' in error && codes.has(String(error.code));
}

class Replica {
  private readonly pool: Pool;
  inFlight = 0;
  private probing: Promise<void> | undefined;
  private recovery: NodeJS.Timeout | undefined;

  constructor(
    private readonly origin: string,
    private readonly limits: ReplicaLimits,
  ) {
    this.pool = new Pool(origin, {
      connections: limits.connections,
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.responseMs,
      bodyTimeout: limits.responseMs,
    });
  }

  get hasFailed(): boolean {
    return this.recovery !== undefined;
  }

  /**
   * Sends a request to this replica.
   *
   * @param isProbed whether liveness probes run during the request; if a probe fails, the request is cancelled
   */
  async send(request: ReplicaRequest, isProbed: boolean): Promise<ReplicaResponse> {
    request.signal?.throwIfAborted();
    const { method, path, headers, body, onBytes } = request;
    const { response, stop } = collectResponse(
      this.pool,
      { method, path, headers, body },
      onBytes === undefined ? {} : { onBytes },
    );
    const cancel = () => stop(new Error('the request was cancelled', { cause: request.signal?.reason }));
    request.signal?.addEventListener('abort', cancel);
    const probes = isProbed
      ? setInterval(() => void this.probe().catch(stop), this.limits.probeIntervalMs)
      : null;
    this.inFlight += 1;
    try {
      return await response;
    } finally {
      this.inFlight -= 1;
      if (probes !== null) clearInterval(probes);
      request.signal?.removeEventListener('abort', cancel);
    }
  }

  /** Sends a request and returns the response when its head has arrived. */
  async open({ method, path, headers, body: sent, signal }: ReplicaRequest): Promise<StreamedResponse> {
    this.inFlight += 1;
    const response = await this.pool
      .request({ method, path, headers, body: sent, ...(signal === undefined ? {} : { signal }) })
      .catch((error: unknown) => {
        this.inFlight -= 1;
        throw error;
      });
    const { statusCode, headers: received, body } = response;
    body.once('close', () => {
      this.inFlight -= 1;
    });
    return { status: statusCode, headers: received, body };
  }

  /** Sends a liveness probe: any response means that the replica is alive. Concurrent calls share one probe. */
  private probe(): Promise<void> {
    this.probing ??= this.requestLiveness().finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  private async requestLiveness(): Promise<void> {
    const signal = AbortSignal.timeout(this.limits.probeTimeoutMs);
    const { body } = await probeRequest(`${this.origin}/health/live`, { signal, reset: true });
    await body.dump();
  }

  /** Gives the replica the lowest priority until a liveness probe succeeds. */
  markFailed(): void {
    this.recovery ??= setInterval(
      () =>
        void this.probe().then(
          () => this.markAlive(),
          () => undefined,
        ),
      this.limits.probeIntervalMs,
    ).unref();
  }

  markAlive(): void {
    clearInterval(this.recovery);
    this.recovery = undefined;
  }

  async close(): Promise<void> {
    this.markAlive();
    await this.pool.close();
  }
}

function withIdScope({ idScope, ...request }: ReplicaRequest): ReplicaRequest {
  if (idScope === undefined) return request;
  return { ...request, headers: { ...request.headers, [ID_SCOPE_HEADER]: idScope } };
}

export class Replicas {
  private readonly replicas: Replica[];

  /** Creates a client. @param urls one URL per replica */
  constructor(urls: readonly string[], limits: Partial<ReplicaLimits> = {}) {
    const all = { ...DEFAULT_LIMITS, ...limits };
    this.replicas = urls.map((url) => new Replica(new URL(url).origin, all));
  }

  /** Sends the request and reads the whole response. @throws the error of the last replica to which it was sent */
  send(request: ReplicaRequest): Promise<ReplicaResponse> {
    return this.tryReplicas(request, (replica, sent, isLast) =>
      replica.send(sent, request.isRepeatable && !isLast),
    );
  }

  /**
   * Sends a request and returns the response when its head has arrived. The calling code must read or destroy the body.
   *
   * @throws the error of the last replica to which it was sent
   */
  open(request: ReplicaRequest): Promise<StreamedResponse> {
    return this.tryReplicas(request, (replica, sent) => replica.open(sent));
  }

  private async tryReplicas<T>(
    request: ReplicaRequest,
    send: (replica: Replica, sent: ReplicaRequest, isLast: boolean) => Promise<T>,
  ): Promise<T> {
    let cause: unknown;
    const order = this.inOrder();
    for (const [index, replica] of order.entries()) {
      try {
        const sent = index === 0 ? withIdScope(request) : request;
        const response = await send(replica, sent, index === order.length - 1);
        replica.markAlive();
        return response;
      } catch (error) {
        cause = error;
        if (request.signal?.aborted || error instanceof ApiError) break;
        if (hasCode(error, TIMEOUTS)) break;
        replica.markFailed();
        if (request.body instanceof Readable) break;
        if (!request.isRepeatable && !hasCode(error, NOT_CONNECTED)) break;
      }
    }
    throw cause ?? new Error('no replica is configured');
  }

  /**
   * Orders the replicas: replicas that have not failed come before failed ones; within each group, those with fewer requests in progress
   * come first. Replicas with equally many requests alternate.
   */
  private inOrder(): readonly Replica[] {
    if (this.replicas.length === 1) return this.replicas;
    const [first] = this.replicas.splice(0, 1);
    if (first !== undefined) this.replicas.push(first);
    return [...this.replicas].sort(
      (a, b) => Number(a.hasFailed) - Number(b.hasFailed) || a.inFlight - b.inFlight,
    );
  }

  /** Waits for requests in progress, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }
}

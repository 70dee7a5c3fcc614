/**
 * HTTP to the replicas of one service, over connections that stay open. The replica with the fewest requests in flight is asked first.
 *
 * Failure policy: a replica that cannot be connected to is passed over. Where a replica dies or stops answering its liveness probe
 * while a repeatable request waits on it, the request is sent to the next one. A replica that failed is asked last until a probe of
 * it succeeds. A replica that is slow but alive is waited for: no request is repeated because of its duration.
 */
import { isNativeError } from 'node:util/types';
import { Pool, request as probeRequest } from 'undici';

export interface ReplicaRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
  /** Whether sending it twice has one effect. */
  readonly isRepeatable: boolean;
  /** Gives the request up. */
  readonly signal?: AbortSignal;
}

/** A complete response: its text is read before it is used, so that one which breaks off is an error. */
export interface ReplicaResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface ReplicaLimits {
  readonly connectMs: number;
  /** Until the response begins; longer than the longest wait of any request. */
  readonly answerMs: number;
  /** Connections to one replica, and so its requests in flight. */
  readonly connections: number;
  /** How often the liveness of a replica is probed while a request waits on it, or while it is asked last. */
  readonly probeEveryMs: number;
  /** How long a probe may take. */
  readonly probeMs: number;
}

const DEFAULT_LIMITS: ReplicaLimits = {
  connectMs: 1_000,
  answerMs: 10_000,
  connections: 64,
  probeEveryMs: 1_000,
  probeMs: 1_000,
};

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const SLOW = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return isNativeError(error) && 'code' in error && codes.has(String(error.code));
}

/** One request on undici's own level: every response is read whole, so a stream for each would only cost. */
function exchange(pool: Pool, { isRepeatable: _, signal, ...request }: ReplicaRequest) {
  let stop: (reason: Error) => void = () => undefined;
  const response = new Promise<ReplicaResponse>((resolve, reject) => {
    let stopped: Error | null = null;
    let status = 0;
    let headers: ReplicaResponse['headers'] = {};
    const chunks: Buffer[] = [];
    stop = (reason) => {
      stopped = reason;
      reject(reason);
    };
    pool.dispatch(request, {
      onRequestStart(controller) {
        stop = (reason) => controller.abort(reason);
        if (stopped !== null) controller.abort(stopped);
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode;
        headers = received;
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        const [first] = chunks;
        const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
        resolve({ status, headers, text: whole.toString('utf8') });
      },
      onResponseError: (_controller, error) => reject(error),
    });
  });
  return { response, stop: (reason: Error) => stop(reason) };
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
      headersTimeout: limits.answerMs,
      bodyTimeout: limits.answerMs,
    });
  }

  get isSuspect(): boolean {
    return this.recovery !== undefined;
  }

  /** @param isWatched whether the request is given up once the replica does not answer a probe */
  async ask(request: ReplicaRequest, isWatched: boolean): Promise<ReplicaResponse> {
    request.signal?.throwIfAborted();
    const { response, stop } = exchange(this.pool, request);
    const giveUp = () => stop(new Error('the request was given up', { cause: request.signal?.reason }));
    request.signal?.addEventListener('abort', giveUp);
    const watch = isWatched
      ? setInterval(() => void this.probe().catch(stop), this.limits.probeEveryMs)
      : null;
    this.inFlight += 1;
    try {
      return await response;
    } finally {
      this.inFlight -= 1;
      if (watch !== null) clearInterval(watch);
      request.signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Any response is proof of life. One probe at a time serves all that ask for it. */
  private probe(): Promise<void> {
    this.probing ??= this.askWhetherAlive().finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  private async askWhetherAlive(): Promise<void> {
    const signal = AbortSignal.timeout(this.limits.probeMs);
    const { body } = await probeRequest(`${this.origin}/health/live`, { signal, reset: true });
    await body.dump();
  }

  /** From now on it is asked last, until it answers a probe. */
  suspect(): void {
    this.recovery ??= setInterval(
      () =>
        void this.probe().then(
          () => this.trust(),
          () => undefined,
        ),
      this.limits.probeEveryMs,
    ).unref();
  }

  trust(): void {
    clearInterval(this.recovery);
    this.recovery = undefined;
  }

  async close(): Promise<void> {
    this.trust();
    await this.pool.close();
  }
}

export class Replicas {
  private readonly replicas: Replica[];

  /** @param urls one address per replica */
  constructor(urls: readonly string[], limits: Partial<ReplicaLimits> = {}) {
    const all = { ...DEFAULT_LIMITS, ...limits };
    this.replicas = urls.map((url) => new Replica(new URL(url).origin, all));
  }

  /** Sends the request and reads the whole response. @throws what the last replica asked failed with */
  async send(request: ReplicaRequest): Promise<ReplicaResponse> {
    let cause: unknown = new Error('no replica is configured');
    const order = this.inOrder();
    for (const [index, replica] of order.entries()) {
      try {
        const isWatched = request.isRepeatable && index < order.length - 1;
        const response = await replica.ask(request, isWatched);
        replica.trust();
        return response;
      } catch (error) {
        cause = error;
        if (request.signal?.aborted) break;
        if (hasCode(error, SLOW)) break;
        replica.suspect();
        if (!request.isRepeatable && !hasCode(error, NOT_CONNECTED)) break;
      }
    }
    throw cause;
  }

  /** Suspects last, those with the fewest requests in flight first; among equals they take turns. */
  private inOrder(): readonly Replica[] {
    if (this.replicas.length === 1) return this.replicas;
    const [first] = this.replicas.splice(0, 1);
    if (first !== undefined) this.replicas.push(first);
    return [...this.replicas].sort(
      (a, b) => Number(a.isSuspect) - Number(b.isSuspect) || a.inFlight - b.inFlight,
    );
  }

  /** Lets requests in flight finish, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }
}

/**
 * A service behind the gateway: its replicas share its requests, over connections that stay open.
 *
 * Failure policy: closed. A replica that can't be connected to is passed over for the next one, which is safe since it got
 * nothing, and asked last for a while; anything that goes wrong later is 503 with Retry-After, and the caller's retry under
 * the same key has one effect. The replica with the fewest requests under way is asked first, so one that hangs soon gets no
 * more. A service that is slow holds at most a bounded number of requests, shared fairly between projects, so neither it nor
 * whoever asks much of it can take the gateway's others with it.
 */
import { isNativeError } from 'node:util/types';
import type { ServiceName } from '@carecover/contract';
import { type Log, type Refusal, unavailable } from '@carecover/platform';
import { Pool } from 'undici';
import { FairPlaces } from './fair-places';

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
  /** Requests that wait for a connection; one more is 503 at once. */
  readonly waiting: number;
  /** The same of one project. */
  readonly waitingOfProject: number;
  /** How long one waits for a connection. */
  readonly waitMs: number;
  /** How long a replica that could not be connected to is asked last. */
  readonly restMs: number;
}

const LIMITS: UpstreamLimits = {
  connectMs: 1_000,
  answerMs: 25_000,
  connections: 64,
  waiting: 1_024,
  waitingOfProject: 512,
  waitMs: 10_000,
  restMs: 2_000,
};

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

interface Replica {
  readonly pool: Pool;
  underWay: number;
  /** Until then (by the process's own clock) it is asked last. */
  restsUntilMs: number;
}

/** One request on undici's own level: every answer is read whole, so a stream for each would only cost. */
function exchange(pool: Pool, request: UpstreamRequest): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: UpstreamAnswer['headers'] = {};
    const chunks: Buffer[] = [];
    pool.dispatch(request, {
      onRequestStart: () => undefined,
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
}

/** Asks a replica and waits for its whole answer. */
async function ask(replica: Replica, request: UpstreamRequest): Promise<UpstreamAnswer> {
  replica.underWay += 1;
  try {
    const answer = await exchange(replica.pool, request);
    // The caller has been let in, so it is our own word that was not believed.
    if (answer.status === 401) throw new Error('the service did not believe the context');
    return answer;
  } finally {
    replica.underWay -= 1;
  }
}

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
  private readonly replicas: Replica[];
  private readonly places: FairPlaces;
  private outage: Outage | null = null;

  constructor(
    private readonly name: ServiceName,
    urls: readonly string[],
    private readonly log: Log,
    private readonly limits: UpstreamLimits = LIMITS,
  ) {
    this.replicas = urls.map((url) => ({
      pool: new Pool(new URL(url).origin, {
        connections: limits.connections,
        connect: { timeout: limits.connectMs },
        headersTimeout: limits.answerMs,
        bodyTimeout: limits.answerMs,
      }),
      underWay: 0,
      restsUntilMs: 0,
    }));
    this.places = new FairPlaces({
      places: limits.connections * urls.length,
      waiting: limits.waiting,
      waitingInLine: limits.waitingOfProject,
      waitMs: limits.waitMs,
      refusal: (reason) => this.away(reason),
    });
  }

  /** Asks a replica on behalf of a project. @throws Refusal service_unavailable */
  async send(project: string, request: UpstreamRequest): Promise<UpstreamAnswer> {
    if (!this.places.takeNow()) await this.places.take(project);
    try {
      return await this.askReplicas(request);
    } finally {
      this.places.give();
    }
  }

  private async askReplicas(request: UpstreamRequest): Promise<UpstreamAnswer> {
    let cause: unknown;
    for (const replica of this.inOrder()) {
      try {
        const answer = await ask(replica, request);
        replica.restsUntilMs = 0;
        if (this.outage !== null) this.noteReturn(this.outage);
        return answer;
      } catch (error) {
        cause = error;
        if (!neverConnected(error)) break;
        replica.restsUntilMs = performance.now() + this.limits.restMs;
      }
    }
    throw this.away(cause);
  }

  /** Those that rest last, those with the fewest requests under way first; among equals they take turns. */
  private inOrder(): readonly Replica[] {
    if (this.replicas.length === 1) return this.replicas;
    const [first] = this.replicas.splice(0, 1);
    if (first !== undefined) this.replicas.push(first);
    const nowMs = performance.now();
    const rests = ({ restsUntilMs }: Replica) => Number(restsUntilMs > nowMs);
    return [...this.replicas].sort((a, b) => rests(a) - rests(b) || a.underWay - b.underWay);
  }

  private away(cause: unknown): Refusal {
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

  /** Lets requests under way finish, then closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.replicas.map(({ pool }) => pool.close()));
  }
}

/**
 * Measures what the answer to a request costs, in milliseconds: how long its statements and transactions use connections of the database,
 * the processor time of its long computations, and what the calls of other services cost. Waiting costs nothing: neither for a connection,
 * nor for Temporal, a cutoff or a receiver. A service reports the cost in a header of its response, and the gateway charges it to the
 * project.
 *
 * Failure policy: open. What is not measured costs nothing; no request is rejected here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The header in which a service reports the cost of its response. The gateway does not send it to clients. */
export const COST_HEADER = 'x-carecover-cost-ms';

/** The cost of one request so far. */
export class RequestCost {
  private totalMs = 0;

  constructor(readonly project: string) {}

  get ms(): number {
    return this.totalMs;
  }

  add(ms: number): void {
    this.totalMs += ms;
  }

  /** Adds the cost that a service reported in a header of its response; nothing if there is no such header. */
  addReported(header: string | readonly string[] | undefined): void {
    const ms = Number(header ?? 0);
    if (ms > 0) this.add(ms);
  }

  /** Returns the value of {@link COST_HEADER}. */
  toHeader(): string {
    return this.totalMs.toFixed(1);
  }
}

const active = new AsyncLocalStorage<RequestCost | undefined>();

/** Runs the work of a request, and adds what the work costs to `cost`. */
export function measureCost<T>(cost: RequestCost, work: () => Promise<T>): Promise<T> {
  return active.run(cost, work);
}

/** Runs work on behalf of several requests, or after a response. Its cost is added to no request. */
export function withoutCost<T>(work: () => T): T {
  return active.run(undefined, work);
}

/** Returns the cost of the current request; undefined in a sweep, in a batch of several requests, and after the response. */
export function activeCost(): RequestCost | undefined {
  return active.getStore();
}

/**
 * Runs a long synchronous computation, and adds its duration to the cost of the request.
 *
 * @example const text = computeAtCost(() => JSON.stringify(body));
 */
export function computeAtCost<T>(compute: () => T): T {
  const cost = activeCost();
  if (cost === undefined) return compute();
  const startedMs = performance.now();
  try {
    return compute();
  } finally {
    cost.add(performance.now() - startedMs);
  }
}

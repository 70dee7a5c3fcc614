/**
 * The processor time that a project can use: an account that is refilled at a fixed rate. Each request is charged what it cost. A request
 * starts while the account is not empty. At its start the cost that is expected of it is reserved, so that few expensive requests run at
 * once. While the account is empty, requests wait in their order.
 *
 * Failure policy: closed. A request that waits too long, or behind too many others, gets 429 with Retry-After.
 */
import type { ServerResponse } from 'node:http';
import { ApiError, unavailable } from '@carecover/domain';
import { onResponseEnd } from '@carecover/http';
import type { Log } from '@carecover/telemetry';

/** The maximum number of requests of a project that wait. */
export const MAX_WAITING_OF_PROJECT = 512;
/** The maximum time in milliseconds that a request waits. */
export const WAIT_MS = 10_000;
/** A full account permits the processor time of this period, in milliseconds, at once. */
const BURST_MS = 1_000;
/** The cost in milliseconds that is expected of the first request of an operation. */
const FIRST_EXPECTED_MS = 5;
/** At most one line per project and this time, in milliseconds, is logged about requests that wait for processor time. */
const LOG_INTERVAL_MS = 60_000;

interface Waiting {
  readonly operation: string;
  readonly start: (expectedMs: number) => void;
}

export class ProcessorTimeAccount {
  private balanceMs: number;
  private refilledAtMs = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private readonly queue = new Set<Waiting>();
  /** What the latest requests of each operation cost, in milliseconds. A higher cost counts at once, a lower one by and by. */
  private readonly expected = new Map<string, number>();
  private loggedAtMs = Number.NEGATIVE_INFINITY;

  /** @param refillPerMs how many milliseconds of processor time are added per millisecond */
  constructor(
    private refillPerMs: number,
    private readonly project: string,
    private readonly log: Log,
  ) {
    this.balanceMs = refillPerMs * BURST_MS;
  }

  setRate(refillPerMs: number): void {
    this.refill();
    this.refillPerMs = refillPerMs;
  }

  /**
   * Reserves the expected cost of a request when the account is not empty and no earlier request waits. Returns the reserved milliseconds,
   * for {@link settle}.
   *
   * @param response the response whose end removes the request from the queue, because its client has left
   */
  reserve(operation: string, response: ServerResponse): Promise<number> {
    if (this.queue.size === 0 && this.isAvailable()) return Promise.resolve(this.take(operation));
    this.logWait(operation);
    if (this.queue.size >= MAX_WAITING_OF_PROJECT) return Promise.reject(this.rejection());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        operation,
        start: (expectedMs) => {
          clearTimeout(timer);
          resolve(expectedMs);
        },
      };
      const timer = setTimeout(() => {
        this.remove(waiting);
        reject(this.rejection());
      }, WAIT_MS);
      this.queue.add(waiting);
      this.startWaiting();
      onResponseEnd(response, () => {
        clearTimeout(timer);
        if (this.remove(waiting)) reject(unavailable('The client'));
      });
    });
  }

  /** Removes a request from the queue, and returns whether it was there. */
  private remove(waiting: Waiting): boolean {
    const wasWaiting = this.queue.delete(waiting);
    if (this.queue.size === 0) clearTimeout(this.timer);
    return wasWaiting;
  }

  /** Replaces the reserved cost of a request by its cost. */
  settle(operation: string, reservedMs: number, costMs: number): void {
    this.balanceMs += reservedMs - costMs;
    const expectedMs = this.expectedOf(operation);
    this.expected.set(operation, costMs > expectedMs ? costMs : expectedMs + (costMs - expectedMs) / 8);
    this.startWaiting();
  }

  /**
   * Charges work that is no request. It can empty the account, so that requests wait, but it leaves no debt: it does not wait for the account
   * itself.
   */
  charge(costMs: number): void {
    this.refill();
    this.balanceMs = Math.min(this.balanceMs, Math.max(0, this.balanceMs - costMs));
  }

  private logWait(operation: string): void {
    const nowMs = performance.now();
    if (nowMs - this.loggedAtMs < LOG_INTERVAL_MS) return;
    this.loggedAtMs = nowMs;
    const { project } = this;
    this.log.info({ project, operation }, 'a project has used its processor time, and its requests wait');
  }

  private expectedOf(operation: string): number {
    return this.expected.get(operation) ?? FIRST_EXPECTED_MS;
  }

  private take(operation: string): number {
    const expectedMs = this.expectedOf(operation);
    this.balanceMs -= expectedMs;
    return expectedMs;
  }

  private refill(): void {
    const nowMs = performance.now();
    const refilledMs = this.refillPerMs * (nowMs - this.refilledAtMs);
    this.balanceMs = Math.min(this.refillPerMs * BURST_MS, this.balanceMs + refilledMs);
    this.refilledAtMs = nowMs;
  }

  private isAvailable(): boolean {
    this.refill();
    return this.balanceMs > 0;
  }

  /** Starts waiting requests in their order while the account is not empty, and otherwise again when it is refilled. */
  private startWaiting(): void {
    clearTimeout(this.timer);
    for (const waiting of this.queue) {
      if (!this.isAvailable()) break;
      this.queue.delete(waiting);
      waiting.start(this.take(waiting.operation));
    }
    if (this.queue.size > 0) this.timer = setTimeout(() => this.startWaiting(), this.msUntilAvailable());
  }

  private msUntilAvailable(): number {
    this.refill();
    return Math.ceil(Math.max(0, -this.balanceMs) / this.refillPerMs) + 1;
  }

  private rejection(): ApiError {
    return new ApiError(
      'rate_limited',
      'The requests of this project have used its processor time: send fewer expensive requests, such as long lists and reports.',
      Math.ceil(this.msUntilAvailable() / 1_000),
    );
  }
}

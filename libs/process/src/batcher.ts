/**
 * Combines concurrent requests into batches that share one round trip. A batch starts at the end of a turn of the event loop, so it
 * contains all requests of the turn. Requests that arrive while a batch is in progress wait for the next one. So the batch size grows with
 * the load.
 */
import { withoutCost, withoutTrace } from '@carecover/telemetry';

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /**
   * Maximum number of batches in progress at the same time. While a batch is in progress, another one starts only if every batch in
   * progress has already taken longer than {@link SLOW_MS} milliseconds.
   */
  readonly concurrency: number;
  /** Maximum number of requests in one batch. */
  readonly size: number;
  /**
   * How long a batch that is not full waits for further requests, in milliseconds. By default, it waits until the end of the turn of the
   * event loop.
   */
  readonly lingerMs?: number;
  /** Limits on the number of waiting requests and on their waiting time. Without them, any number of requests can wait, for any time. */
  readonly limits?: BatcherLimits;
}

interface BatcherLimits {
  /** Maximum number of requests that wait for a batch; a further one is rejected. */
  readonly maxWaiting: number;
  /** The time in milliseconds from the arrival of a request until it must have its result; after that, the request is rejected. */
  readonly timeoutMs: number;
  /** Creates the error of a request that exceeds `maxWaiting` or `timeoutMs`. */
  readonly rejection: () => Error;
}

/** A batch that takes longer than this number of milliseconds is slow: its statement may wait for a lock, or its connection may be lost. */
const SLOW_MS = 50;

export class Batcher<Request, Result> {
  private readonly queue = new Set<Waiting<Request, Result>>();
  private inProgress = 0;
  /** The number of batches in progress that have taken longer than {@link SLOW_MS} milliseconds. */
  private slow = 0;
  private isNextPlanned = false;

  /**
   * Creates a batcher.
   *
   * @param execute returns the result of each request at the request's index; if it throws, all requests of the batch fail
   */
  constructor(
    private readonly execute: (requests: readonly Request[]) => Promise<readonly Result[]>,
    private readonly options: BatcherOptions,
  ) {}

  /**
   * Adds a request to the next batch and returns the request's result.
   *
   * @throws the error that `limits.rejection` creates, if too many requests wait or the result does not arrive in time
   */
  submit(request: Request): Promise<Result> {
    const { limits } = this.options;
    if (limits !== undefined && this.queue.size >= limits.maxWaiting)
      return Promise.reject(limits.rejection());
    return new Promise((resolve, reject) => {
      const waiting = { request, resolve, reject };
      this.queue.add(limits === undefined ? waiting : this.withTimeout(waiting, limits));
      this.planNextBatch();
    });
  }

  private withTimeout(
    waiting: Waiting<Request, Result>,
    { timeoutMs, rejection }: BatcherLimits,
  ): Waiting<Request, Result> {
    const { request, resolve, reject } = waiting;
    // The timeout rejects the request, but does not end its batch. The batch still counts as in progress, so a database that does not
    // respond never gets more than `concurrency` batches.
    const timer = setTimeout(() => {
      this.queue.delete(limited);
      reject(rejection());
    }, timeoutMs);
    const settled =
      <T>(settle: (value: T) => void) =>
      (value: T) => {
        clearTimeout(timer);
        settle(value);
      };
    const limited = { request, resolve: settled(resolve), reject: settled(reject) };
    return limited;
  }

  private get canStart(): boolean {
    return this.inProgress === this.slow && this.inProgress < this.options.concurrency;
  }

  private planNextBatch(): void {
    if (this.isNextPlanned || !this.canStart || this.queue.size === 0) return;
    this.isNextPlanned = true;
    const { lingerMs = 0, size } = this.options;
    const start = () => {
      this.isNextPlanned = false;
      if (this.queue.size > 0) this.startBatch(this.takeBatch());
    };
    if (lingerMs > 0 && this.queue.size < size) setTimeout(start, lingerMs);
    else setImmediate(start);
  }

  private takeBatch(): Waiting<Request, Result>[] {
    const batch: Waiting<Request, Result>[] = [];
    for (const waiting of this.queue) {
      if (batch.length === this.options.size) break;
      this.queue.delete(waiting);
      batch.push(waiting);
    }
    return batch;
  }

  private startBatch(batch: readonly Waiting<Request, Result>[]): void {
    this.inProgress += 1;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.slow += 1;
      this.planNextBatch();
    }, SLOW_MS);
    // The batch belongs to no trace and adds to no cost, because it contains requests of several traces and projects.
    withoutCost(() => withoutTrace(() => this.execute(batch.map(({ request }) => request))))
      .then(
        (results) => {
          batch.forEach(({ resolve, reject }, index) => {
            const result = results[index];
            if (result === undefined) reject(new Error('a batch returned fewer results than requests'));
            else resolve(result);
          });
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      )
      .finally(() => {
        clearTimeout(timer);
        if (isSlow) this.slow -= 1;
        this.inProgress -= 1;
        this.planNextBatch();
      });
  }
}

/**
 * Combines concurrent requests into batches that share one round trip. A request is sent at once while fewer than `concurrency`
 * batches are in progress; later requests wait for the next batch. So the batch size grows with the load, without a timer.
 */
import { withoutTrace } from '@carecover/platform';

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /** Batches that are in progress at the same time. */
  readonly concurrency: number;
  /** Requests in one batch. */
  readonly size: number;
  /** Requests that wait for a batch; a further one is rejected. */
  readonly maxWaiting: number;
  /** The time in which a request must have its result. */
  readonly timeoutMs: number;
  /** Creates the error for a request that was rejected or timed out. */
  readonly rejection: () => Error;
}

export class Batcher<Request, Result> {
  private readonly queue = new Set<Waiting<Request, Result>>();
  private inProgress = 0;

  /** @param execute returns the result of each request at its index; if it fails, the whole batch fails */
  constructor(
    private readonly execute: (requests: readonly Request[]) => Promise<readonly Result[]>,
    private readonly options: BatcherOptions,
  ) {}

  /** Sends a request with the next batch and returns its result. @throws the `rejection` of the options */
  submit(request: Request): Promise<Result> {
    const { maxWaiting, timeoutMs, rejection } = this.options;
    if (this.queue.size >= maxWaiting) return Promise.reject(rejection());
    return new Promise((resolve, reject) => {
      const waiting = { request, resolve, reject };
      // A batch that never ends keeps its slot, so a database that does not respond gets no further batches.
      const timer = setTimeout(() => {
        this.queue.delete(waiting);
        reject(rejection());
      }, timeoutMs);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          settle(value);
        };
      this.queue.add(Object.assign(waiting, { resolve: settled(resolve), reject: settled(reject) }));
      this.startNextBatch();
    });
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

  private startNextBatch(): void {
    if (this.inProgress >= this.options.concurrency || this.queue.size === 0) return;
    const batch = this.takeBatch();
    this.inProgress += 1;
    // A batch contains several requests, so it belongs to none of their traces.
    withoutTrace(() => this.execute(batch.map(({ request }) => request)))
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
        this.inProgress -= 1;
        this.startNextBatch();
      });
  }
}

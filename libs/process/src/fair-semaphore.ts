/**
 * A semaphore with one queue per key, such as a project, which serves the queues round-robin: a project with many waiting requests gets at
 * most one permit before the next waiting request of another project gets one.
 *
 * Failure policy: closed. A request is rejected if too many requests wait already, or if it waits too long.
 */

interface WaitingRequest {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

export interface FairSemaphoreOptions {
  readonly permits: number;
  /** Maximum number of requests that wait in all queues together. */
  readonly maxWaiting: number;
  /** Maximum number of requests that wait in one queue. */
  readonly maxWaitingPerQueue: number;
  readonly waitMs: number;
  /** Makes the error of a request that gets no permit. */
  readonly rejection: (reason: string) => Error;
}

/**
 * A limit on concurrent work, with one queue per key.
 *
 * @example
 * await semaphore.acquire(projectId);
 * try { await work(); } finally { semaphore.release(); }
 */
export class FairSemaphore {
  private acquired = 0;
  private waiting = 0;
  /** The queues by key. The first queue is the one that is served next. */
  private readonly queues = new Map<string, Set<WaitingRequest>>();

  constructor(private readonly options: FairSemaphoreOptions) {}

  /** Takes a permit if one is available. Returns whether it took one, which the calling code must then release. */
  tryAcquire(): boolean {
    if (this.acquired >= this.options.permits) return false;
    this.acquired += 1;
    return true;
  }

  /** Whether no permit is taken. Then no request waits either. */
  get isIdle(): boolean {
    return this.acquired === 0;
  }

  /**
   * Takes a permit, or waits for one in the queue of `key`.
   *
   * @throws the error of `rejection` if too many requests wait already, or if the wait is too long
   */
  acquire(key: string, waitMs = this.options.waitMs): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve();
    const { maxWaiting, maxWaitingPerQueue, rejection } = this.options;
    const queue = this.queues.get(key) ?? new Set();
    if (this.waiting >= maxWaiting || queue.size >= maxWaitingPerQueue) {
      return Promise.reject(rejection('too many requests wait'));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.remove(key, queue, request);
        reject(rejection('the request waited too long'));
      }, waitMs);
      const request: WaitingRequest = { start: resolve, timer };
      queue.add(request);
      this.queues.set(key, queue);
      this.waiting += 1;
    });
  }

  /** Passes the permit to the first request of the next queue, or makes it available if no request waits. */
  release(): void {
    for (const [key, queue] of this.queues) {
      const [first] = queue;
      if (first === undefined) continue;
      clearTimeout(first.timer);
      this.remove(key, queue, first);
      // The queue that was just served moves to the end, behind all other queues.
      if (this.queues.delete(key)) this.queues.set(key, queue);
      first.start();
      return;
    }
    this.acquired -= 1;
  }

  private remove(key: string, queue: Set<WaitingRequest>, request: WaitingRequest): void {
    queue.delete(request);
    this.waiting -= 1;
    if (queue.size === 0) this.queues.delete(key);
  }
}

/**
 * A set of fair semaphores, one per name, such as one per destination. A semaphore exists while one of its permits is taken.
 *
 * @example
 * const slots = new FairSemaphores(() => options);
 * await slots.acquire('hooks.example.com:443', projectId);
 */
export class FairSemaphores {
  private readonly semaphores = new Map<string, FairSemaphore>();

  constructor(private readonly optionsOf: (name: string) => FairSemaphoreOptions) {}

  /** Takes a permit of the semaphore `name` if one is available now. Release every permit with {@link release}. */
  tryAcquire(name: string): boolean {
    return this.semaphoreOf(name).tryAcquire();
  }

  /**
   * Takes a permit of the semaphore `name`, or waits for one in the queue of `key`.
   *
   * @throws the error of `rejection` if too many requests wait already, or if the wait is too long
   */
  acquire(name: string, key: string, waitMs?: number): Promise<void> {
    return this.semaphoreOf(name).acquire(key, waitMs);
  }

  /** Releases a permit. */
  release(name: string): void {
    const semaphore = this.semaphoreOf(name);
    semaphore.release();
    if (semaphore.isIdle) this.semaphores.delete(name);
  }

  private semaphoreOf(name: string): FairSemaphore {
    const known = this.semaphores.get(name);
    if (known !== undefined) return known;
    const made = new FairSemaphore(this.optionsOf(name));
    this.semaphores.set(name, made);
    return made;
  }
}

/**
 * A bounded number of places at something slow, shared fairly: whoever finds none free waits in its own line, and the lines take
 * turns. So one project with many slow requests delays another's by one place at most, not by its whole line.
 *
 * Failure policy: closed. More than may wait, or longer than one may wait, is refused.
 */

interface Waiting {
  readonly go: () => void;
  readonly timer: NodeJS.Timeout;
}

export interface FairSemaphoreOptions {
  readonly places: number;
  /** Who may wait, in all lines together. */
  readonly waiting: number;
  /** Who may wait in one line. */
  readonly waitingInLine: number;
  readonly waitMs: number;
  /** What is told to whoever gets no place. */
  readonly rejection: (reason: string) => Error;
}

export class FairSemaphore {
  private taken = 0;
  private waiting = 0;
  /** In the order of their turns. */
  private readonly lines = new Map<string, Set<Waiting>>();

  constructor(private readonly options: FairSemaphoreOptions) {}

  /** Takes a place if one is free now. The holder must release it. */
  tryAcquire(): boolean {
    if (this.taken >= this.options.places) return false;
    this.taken += 1;
    return true;
  }

  /** Whether no place is taken, and so nobody waits. */
  get isIdle(): boolean {
    return this.taken === 0;
  }

  /** Waits in this line for a place. @throws the rejection */
  take(line: string, waitMs = this.options.waitMs): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve();
    const { waiting, waitingInLine, rejection } = this.options;
    const own = this.lines.get(line) ?? new Set();
    if (this.waiting >= waiting || own.size >= waitingInLine) {
      return Promise.reject(rejection('too many requests wait for it'));
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.leave(line, own, entry);
        reject(rejection('no place became free in time'));
      }, waitMs);
      const entry: Waiting = { go: resolve, timer };
      own.add(entry);
      this.lines.set(line, own);
      this.waiting += 1;
    });
  }

  /** Gives a place back: to the first of the line whose turn it is, where anybody waits. */
  give(): void {
    for (const [line, own] of this.lines) {
      const [first] = own;
      if (first === undefined) continue;
      clearTimeout(first.timer);
      this.leave(line, own, first);
      // Behind the others, where it has more.
      if (this.lines.delete(line)) this.lines.set(line, own);
      first.go();
      return;
    }
    this.taken -= 1;
  }

  private leave(line: string, own: Set<Waiting>, entry: Waiting): void {
    own.delete(entry);
    this.waiting -= 1;
    if (own.size === 0) this.lines.delete(line);
  }
}

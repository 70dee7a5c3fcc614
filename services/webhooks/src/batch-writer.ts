/**
 * Writes items in batches. Items that arrive while a batch is written are the next batch, so a single item is written immediately (or after a
 * linger time), and many items share a transaction.
 *
 * Failure policy: while the database is unavailable, a batch is retried without a limit, with growing pauses. If the database rejects a batch,
 * its items are written one by one, and a rejected item is given up, so that it does not block the others.
 */
import { areValuesRejected, interruptibleSleep, type Log } from '@carecover/platform';

export interface BatchWriterOptions<T> {
  readonly maxBatch: number;
  /** How long to wait for further items before a batch that is not full is written, in milliseconds; 0 by default. */
  readonly lingerMs?: number;
  readonly write: (items: readonly T[]) => Promise<void>;
  /** Called with an item that the database rejects. It can throw: then it is called again. */
  readonly giveUp: (item: T, error: unknown) => Promise<void>;
  readonly log: Log;
}

interface WaitingItem<T> {
  readonly item: T;
  readonly settle: (written: boolean) => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export class BatchWriter<T> {
  private waiting: WaitingItem<T>[] = [];
  private writing: Promise<void> | null = null;
  private readonly stopping = new AbortController();

  constructor(private readonly options: BatchWriterOptions<T>) {}

  /** Resolves with true when the item is committed or given up; with false if the writer was stopped before. */
  add(item: T): Promise<boolean> {
    return new Promise((settle) => {
      this.waiting.push({ item, settle });
      this.writing ??= this.writeAll();
    });
  }

  /** Writes the waiting items once, and drops them if the database is unavailable. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    const { lingerMs = 0, maxBatch } = this.options;
    while (this.waiting.length > 0) {
      if (lingerMs > 0 && this.waiting.length < maxBatch)
        await interruptibleSleep(lingerMs, this.stopping.signal);
      const batch = this.waiting.splice(0, maxBatch);
      const written = await this.persist(batch.map(({ item }) => item));
      for (const { settle } of batch) settle(written);
    }
    this.writing = null;
  }

  private async persist(items: readonly T[]): Promise<boolean> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
      try {
        await this.options.write(items);
        return true;
      } catch (error) {
        if (areValuesRejected(error)) return this.persistOneByOne(items, error);
        this.options.log.warn({ err: error, items: items.length }, 'a batch was not written; it is retried');
      }
      if (this.stopping.signal.aborted) return false;
      await interruptibleSleep(pauseMs, this.stopping.signal);
    }
  }

  private async persistOneByOne(items: readonly T[], error: unknown): Promise<boolean> {
    const [only, ...others] = items;
    if (only !== undefined && others.length === 0) return this.persistRejection(only, error);
    let written = true;
    for (const item of items) written = (await this.persist([item])) && written;
    return written;
  }

  private async persistRejection(item: T, rejection: unknown): Promise<boolean> {
    for (;;) {
      try {
        await this.options.giveUp(item, rejection);
        return true;
      } catch (error) {
        this.options.log.warn({ err: error }, 'an item could not be given up; it is retried');
      }
      if (this.stopping.signal.aborted) return false;
      await interruptibleSleep(LONGEST_PAUSE_MS, this.stopping.signal);
    }
  }
}

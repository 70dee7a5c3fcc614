/**
 * Writes items to the database in batches. A single item is written at once (or after a linger time). Items that are added while a batch is
 * written form the next batch, so that many items share a transaction.
 *
 * Failure policy: while the database is unavailable, a batch is retried until the writer is stopped. If the database rejects a batch, its
 * items are written one by one, and `giveUp` is called with each rejected item, so that it does not block the others.
 */
import { areValuesRejected, interruptibleSleep, type Log, retryUntilStopped } from '@carecover/platform';

export interface BatchWriterOptions<T> {
  readonly maxBatch: number;
  /** Linger time in milliseconds: how long a batch that is not full waits for further items; 0 by default. */
  readonly lingerMs?: number;
  readonly write: (items: readonly T[]) => Promise<void>;
  /** Called with an item that the database rejects, and called again if it throws. */
  readonly giveUp: (item: T, error: unknown) => Promise<void>;
  readonly log: Log;
}

interface WaitingItem<T> {
  readonly item: T;
  readonly settle: (written: boolean) => void;
}

export class BatchWriter<T> {
  private waiting: WaitingItem<T>[] = [];
  private writing: Promise<void> | null = null;
  private readonly stopping = new AbortController();

  constructor(private readonly options: BatchWriterOptions<T>) {}

  /** Adds an item. Resolves with true when the item is committed or given up, or with false if the writer is stopped before. */
  add(item: T): Promise<boolean> {
    return new Promise((settle) => {
      this.waiting.push({ item, settle });
      this.writing ??= this.writeAll();
    });
  }

  /** Stops the writer. Tries once to write the waiting items; they are dropped if the database is unavailable. */
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

  /** Writes items until they are committed or given up. Returns false if the writer was stopped before. */
  private async persist(items: readonly T[]): Promise<boolean> {
    const { write, log } = this.options;
    const work = { name: 'the write of a batch', log, fields: { items: items.length } };
    const outcome = await retryUntilStopped(work, this.stopping.signal, async () => {
      try {
        await write(items);
        return 'written';
      } catch (error) {
        if (areValuesRejected(error)) return { rejection: error };
        throw error;
      }
    });
    if (outcome === undefined) return false;
    return outcome === 'written' || this.persistOneByOne(items, outcome.rejection);
  }

  private async persistOneByOne(items: readonly T[], error: unknown): Promise<boolean> {
    const [only, ...others] = items;
    if (only !== undefined && others.length === 0) return this.persistRejection(only, error);
    let written = true;
    for (const item of items) written = (await this.persist([item])) && written;
    return written;
  }

  private async persistRejection(item: T, rejection: unknown): Promise<boolean> {
    const { giveUp, log } = this.options;
    const givenUp = await retryUntilStopped(
      { name: 'giving up an item', log },
      this.stopping.signal,
      async () => {
        await giveUp(item, rejection);
        return true;
      },
    );
    return givenUp === true;
  }
}

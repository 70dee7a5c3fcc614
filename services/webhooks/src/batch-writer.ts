/**
 * Writes items to the database in batches, so that many items share a transaction. {@link Batcher} forms the batches.
 *
 * Failure policy: while the database is unavailable, a batch is retried until the writer is stopped. If the database rejects a batch, its
 * items are written one by one, and `giveUp` is called with each rejected item, so that it does not block the others.
 */
import { areValuesRejected } from '@carecover/postgres';
import { Batcher, retryUntilStopped } from '@carecover/process';
import type { Log } from '@carecover/telemetry';

export interface BatchWriterOptions<T> {
  readonly maxBatch: number;
  /** Linger time in milliseconds: how long a batch that is not full waits for further items; 0 by default. */
  readonly lingerMs?: number;
  readonly write: (items: readonly T[]) => Promise<void>;
  /** Called with an item that the database rejects. If this function throws, it is called again with the same item. */
  readonly giveUp: (item: T, error: unknown) => Promise<void>;
  readonly log: Log;
}

export class BatchWriter<T> {
  private readonly batcher: Batcher<T, boolean>;
  private readonly stopping = new AbortController();
  /** The result of the newest item. Batches are written in sequence, so the newest item is written last. */
  private newest: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: BatchWriterOptions<T>) {
    const { maxBatch: size, lingerMs = 0 } = options;
    const write = async (items: readonly T[]) => {
      const written = await this.persist(items);
      return items.map(() => written);
    };
    this.batcher = new Batcher(write, { concurrency: 1, size, lingerMs });
  }

  /** Adds an item. Resolves with true when the item is committed or given up, or with false if the writer is stopped before that. */
  add(item: T): Promise<boolean> {
    const written = this.batcher.submit(item);
    this.newest = written;
    return written;
  }

  /** Stops the writer. Tries once to write the waiting items; they are dropped if the database is unavailable. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.newest;
  }

  /** Writes items until they are committed or given up. Returns false if the writer was stopped before that. */
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

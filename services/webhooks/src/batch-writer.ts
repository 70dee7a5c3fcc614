/**
 * Writes items in batches without ever waiting for a batch to fill: what arrives while one batch is being written is the
 * next one. So a single item goes at once, or after a short while where nobody waits for it, and many share a transaction.
 *
 * Failure policy: while the database is away a batch is written again for ever, a little later each time. A batch that
 * the database rejects is written item by item, and the item that is refused alone is given up, so that it never blocks
 * the rest.
 */
import { interruptibleSleep, type Log } from '@carecover/platform';
import postgres from 'postgres';

export interface BatchWriterOptions<T> {
  readonly maxBatch: number;
  /** How long others are waited for before a batch that is not full, in milliseconds; not at all unless given. */
  readonly lingerMs?: number;
  readonly write: (items: readonly T[]) => Promise<void>;
  /** Told of an item that the database rejects whenever it is written. May throw: then it is told again. */
  readonly giveUp: (item: T, error: unknown) => Promise<void>;
  readonly log: Log;
}

interface Waiting<T> {
  readonly item: T;
  readonly settle: (written: boolean) => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Whether the error says that these very data can't be written, now or ever. */
function isRejectedData(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^2[23]/.test(error.code);
  return error instanceof TypeError || error instanceof RangeError;
}

export class BatchWriter<T> {
  private waiting: Waiting<T>[] = [];
  private writing: Promise<void> | null = null;
  private readonly stopping = new AbortController();

  constructor(private readonly options: BatchWriterOptions<T>) {}

  /** Resolves when the item is committed or given up: true; or false where the writer was stopped before. */
  add(item: T): Promise<boolean> {
    return new Promise((settle) => {
      this.waiting.push({ item, settle });
      this.writing ??= this.writeAll();
    });
  }

  /** Lets what waits be written if the database answers, and forgets it if not. */
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
        if (isRejectedData(error)) return this.persistOneByOne(items, error);
        this.options.log.warn({ err: error, items: items.length }, 'a batch was not written, trying again');
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
        this.options.log.warn({ err: error }, 'an item could not be given up, trying again');
      }
      if (this.stopping.signal.aborted) return false;
      await interruptibleSleep(LONGEST_PAUSE_MS, this.stopping.signal);
    }
  }
}

/**
 * Lets questions that arrive together share one round trip. A question asked while no batch is under way goes at once; those
 * that come meanwhile wait for the next batch, so a batch grows with the load by itself and nobody waits for a timer.
 */
import { withoutTrace } from '@carecover/platform';

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /** Batches under way at once. */
  readonly concurrency: number;
  /** Questions in one batch. */
  readonly size: number;
  /** Questions waiting for a batch; one more is refused. */
  readonly waiting: number;
  /** How long a question waits for its answer. */
  readonly limitMs: number;
  /** What a question is told that was refused or waited too long. */
  readonly unanswered: () => Error;
}

export class Batcher<Question, Answer> {
  private readonly queue = new Set<Waiting<Question, Answer>>();
  private underWay = 0;

  /** @param ask answers each question at its index; where it fails, the whole batch does */
  constructor(
    private readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    private readonly options: BatcherOptions,
  ) {}

  answer(question: Question): Promise<Answer> {
    const { waiting, limitMs, unanswered } = this.options;
    if (this.queue.size >= waiting) return Promise.reject(unanswered());
    return new Promise((resolve, reject) => {
      const asked = { question, resolve, reject };
      // A batch that never comes back keeps its place, so whoever froze is not asked more and more.
      const timer = setTimeout(() => {
        this.queue.delete(asked);
        reject(unanswered());
      }, limitMs);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          settle(value);
        };
      this.queue.add(Object.assign(asked, { resolve: settled(resolve), reject: settled(reject) }));
      this.next();
    });
  }

  private takeBatch(): Waiting<Question, Answer>[] {
    const batch: Waiting<Question, Answer>[] = [];
    for (const asked of this.queue) {
      if (batch.length === this.options.size) break;
      this.queue.delete(asked);
      batch.push(asked);
    }
    return batch;
  }

  private next(): void {
    if (this.underWay >= this.options.concurrency || this.queue.size === 0) return;
    const batch = this.takeBatch();
    this.underWay += 1;
    // It is asked for several, so it belongs to none of their traces.
    withoutTrace(() => this.ask(batch.map(({ question }) => question)))
      .then(
        (answers) => {
          batch.forEach(({ resolve, reject }, index) => {
            const answer = answers[index];
            if (answer === undefined) reject(new Error('a batch answered fewer questions than it was asked'));
            else resolve(answer);
          });
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      )
      .finally(() => {
        this.underWay -= 1;
        this.next();
      });
  }
}

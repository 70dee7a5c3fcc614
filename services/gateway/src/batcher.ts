/**
 * Lets questions that arrive together share one round trip. A question asked while no batch is under way goes at once; those
 * that come meanwhile wait for the next batch, so a batch grows with the load by itself and nobody waits for a timer.
 */

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
  /** Questions waiting for a batch; one more is refused with `full`. */
  readonly waiting: number;
  readonly full: () => Error;
}

export class Batcher<Question, Answer> {
  private readonly queue: Waiting<Question, Answer>[] = [];
  private underWay = 0;

  /** @param ask answers each question at its index; where it fails, the whole batch does */
  constructor(
    private readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    private readonly options: BatcherOptions,
  ) {}

  answer(question: Question): Promise<Answer> {
    if (this.queue.length >= this.options.waiting) return Promise.reject(this.options.full());
    return new Promise((resolve, reject) => {
      this.queue.push({ question, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.underWay >= this.options.concurrency || this.queue.length === 0) return;
    const batch = this.queue.splice(0, this.options.size);
    this.underWay += 1;
    this.ask(batch.map(({ question }) => question))
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

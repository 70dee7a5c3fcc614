/**
 * One POST and what of its answer is wanted, on undici's own level: without the streams and signals that its ready-made requests
 * are wrapped in, which cost more than all the rest.
 *
 * Failure policy: it ends within its time and its memory. An answer whose body is longer, slower or broken off is quoted as far
 * as it came: its status had been received.
 */
import type { Dispatcher } from 'undici';

export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Byte for byte. */
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  /** The start of the body. */
  readonly excerpt: Buffer;
}

/** There was no answer in time. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

const EXCERPT_BYTES = 1_024;
/** An answer is read to its end, so that the connection can serve again, unless it is longer or slower than this. */
const ANSWER_BYTES = 64 * 1_024;
const ANSWER_MS = 1_000;

class Exchange implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private answerTimer: NodeJS.Timeout | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | undefined;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private over = false;

  constructor(
    timeoutMs: number,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.timer = setTimeout(() => this.cutOff(), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // A place on a connection that became free too late.
    if (this.over) controller.abort(new NoAnswerInTime());
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // Others before it are only informational.
    if (status < 200) return;
    this.status = status;
    this.answerTimer = setTimeout(() => this.cutOff(), ANSWER_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A part of a larger buffer, which it would keep.
    if (this.size < EXCERPT_BYTES) this.chunks.push(Buffer.from(chunk.subarray(0, EXCERPT_BYTES)));
    this.size += chunk.length;
    if (this.size > ANSWER_BYTES) this.cutOff();
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.end(error);
  }

  /** Waits no longer, and lets nobody else have the connection. */
  private cutOff(): void {
    this.end(new NoAnswerInTime());
    this.controller?.abort(new NoAnswerInTime());
  }

  private end(error?: Error): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    clearTimeout(this.answerTimer);
    const excerpt = Buffer.concat(this.chunks).subarray(0, EXCERPT_BYTES);
    if (this.status !== undefined) this.resolve({ status: this.status, excerpt });
    else this.reject(error ?? new Error('the answer has no status'));
  }
}

/** @throws NoAnswerInTime, or what undici says of a connection that could not be made or broke */
export function exchange(
  dispatcher: Dispatcher,
  { url, headers, body }: Posted,
  timeoutMs: number,
): Promise<Answer> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: 'POST', headers, body },
      new Exchange(timeoutMs, resolve, reject),
    );
  });
}

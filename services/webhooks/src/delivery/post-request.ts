/**
 * Sends one POST request with undici's dispatch API, which costs less than its request API with streams and abort signals.
 *
 * Failure policy: a request ends within its timeout and with bounded memory. If the response body is too long, too slow or interrupted, the
 * response counts with the part of the body that arrived.
 */
import type { Dispatcher } from 'undici';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostResponse {
  readonly status: number;
  /** The first bytes of the body, at most 1 KiB. */
  readonly excerpt: Buffer;
}

/** No response arrived before the timeout. */
export class ResponseTimeout extends Error {
  override readonly name = 'ResponseTimeout';
}

const EXCERPT_BYTES = 1_024;
/** A body is read to its end, so that the connection can be reused, unless it exceeds these limits. */
const BODY_BYTES = 64 * 1_024;
const BODY_MS = 1_000;

class PostHandler implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private bodyTimer: NodeJS.Timeout | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | undefined;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private isEnded = false;

  constructor(
    timeoutMs: number,
    private readonly resolve: (response: PostResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.timer = setTimeout(() => this.abort(), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The request got its connection after its timeout.
    if (this.isEnded) controller.abort(new ResponseTimeout());
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    // A 1xx response is informational; the final response follows.
    if (status < 200) return;
    this.status = status;
    this.bodyTimer = setTimeout(() => this.abort(), BODY_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A copy, because the chunk keeps its whole buffer in memory.
    if (this.size < EXCERPT_BYTES) this.chunks.push(Buffer.from(chunk.subarray(0, EXCERPT_BYTES)));
    this.size += chunk.length;
    if (this.size > BODY_BYTES) this.abort();
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.end(error);
  }

  /** Ends the request and closes its connection. */
  private abort(): void {
    this.end(new ResponseTimeout());
    this.controller?.abort(new ResponseTimeout());
  }

  private end(error?: Error): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.timer);
    clearTimeout(this.bodyTimer);
    const excerpt = Buffer.concat(this.chunks).subarray(0, EXCERPT_BYTES);
    if (this.status !== undefined) this.resolve({ status: this.status, excerpt });
    else this.reject(error ?? new Error('the response has no status'));
  }
}

/**
 * Sends the request and returns the response's status and the start of its body.
 *
 * @throws ResponseTimeout, or undici's error if the connection failed
 */
export function postRequest(
  dispatcher: Dispatcher,
  { url, headers, body }: PostRequest,
  timeoutMs: number,
): Promise<PostResponse> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: 'POST', headers, body },
      new PostHandler(timeoutMs, resolve, reject),
    );
  });
}

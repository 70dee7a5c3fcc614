/**
 * One call of an operation over HTTP. Failure policy: 429, 5xx and lost connections are tried again, honouring Retry-After,
 * under the same idempotency key, up to `maxRetries` times; what a caller sees then is the last error.
 */
import { CarecoverConnectionError, CarecoverError } from './errors';
import { type OperationCall, type OperationId, operations } from './generated/operations';
import { List, type Page } from './pagination';
import { isRetryable, pause, retryDelayMs } from './retry';

export interface ClientOptions {
  /** A secret key (`sk_…`) or, in a browser, a token (`pt_…`). */
  readonly apiKey: string;
  /** The service's address with its version, such as `https://localhost:8443/v1`. */
  readonly baseUrl: string;
  /** For each try. Default 30,000 ms. */
  readonly timeoutMs?: number;
  /** Default 4. */
  readonly maxRetries?: number;
  /** Instead of the global one, for instance to trust a certificate of one's own. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Chosen by the client where none is given; give one to repeat a write of an earlier run. */
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  readonly signal?: AbortSignal;
}

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RawAnswer {
  readonly status: number;
  /** The exact text of the body. */
  readonly text: string;
  readonly headers: Headers;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 4;

export class Transport {
  constructor(private readonly options: ClientOptions) {}

  /** Makes the call and gives the parsed body. @throws CarecoverError, CarecoverConnectionError, the signal's reason */
  async call<T>(id: OperationId, input: CallInput = {}, options: CallOptions = {}): Promise<T> {
    const { text } = await this.raw(id, input, options);
    return JSON.parse(text) as T;
  }

  /** A list operation: its first page, or every item of every page. */
  list<T extends { readonly id: string }, Q extends { readonly starting_after?: string }>(
    id: OperationId,
    query: Q,
    options?: CallOptions,
    params: Readonly<Record<string, string>> = {},
  ): List<T, Q> {
    return new List<T, Q>(query, (page) => this.call<Page<T>>(id, { params, query: { ...page } }, options));
  }

  /** As {@link call}, with status, headers and the body's exact text. */
  async raw(id: OperationId, input: CallInput = {}, options: CallOptions = {}): Promise<RawAnswer> {
    const operation: OperationCall = operations[id];
    const url = this.url(operation.path, input);
    const request = {
      method: operation.method,
      headers: this.headers(operation, input, options),
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    };
    const retries = options.maxRetries ?? this.options.maxRetries ?? DEFAULT_RETRIES;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.attempt(url, request, options);
      if (!(outcome instanceof Error)) {
        if (outcome.status < 400 || operation.alsoSuccess === outcome.status) return outcome;
      }
      const error = outcome instanceof Error ? outcome : toError(outcome);
      const again = error instanceof CarecoverConnectionError || isRetryable(error.status);
      if (!again || attempt >= retries) throw error;
      const retryAfter = error instanceof CarecoverError ? error.retryAfterSeconds : null;
      await pause(retryDelayMs(attempt, retryAfter, Math.random()), options.signal);
    }
  }

  private url(path: string, input: CallInput): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(input.params?.[name] ?? ''),
    );
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    const search = query.size === 0 ? '' : `?${query}`;
    return `${this.options.baseUrl.replace(/\/$/, '')}${filled}${search}`;
  }

  private headers(operation: OperationCall, input: CallInput, options: CallOptions) {
    const headers: Record<string, string> = {
      ...input.headers,
      authorization: `Bearer ${this.options.apiKey}`,
    };
    if (input.body !== undefined) headers['content-type'] = 'application/json';
    if (operation.idempotent) headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
    return headers;
  }

  private async attempt(
    url: string,
    request: RequestInit,
    options: CallOptions,
  ): Promise<RawAnswer | CarecoverConnectionError> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
    try {
      const response = await (this.options.fetch ?? fetch)(url, { ...request, signal });
      return { status: response.status, text: await response.text(), headers: response.headers };
    } catch (error) {
      options.signal?.throwIfAborted();
      return new CarecoverConnectionError(`no answer from ${new URL(url).origin}`, { cause: error });
    }
  }
}

function toError(answer: RawAnswer): CarecoverError | CarecoverConnectionError {
  const retryAfter = answer.headers.get('retry-after');
  try {
    const { error } = JSON.parse(answer.text);
    return new CarecoverError(
      answer.status,
      error.code,
      error.message,
      error.docs,
      answer.headers.get('x-request-id'),
      retryAfter === null ? null : Number(retryAfter),
    );
  } catch (cause) {
    return new CarecoverConnectionError(`an answer with status ${answer.status} that is not the service's`, {
      cause,
    });
  }
}

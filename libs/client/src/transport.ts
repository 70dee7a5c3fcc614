/**
 * One call of an operation over HTTP. Failure policy: 429, 5xx and lost connections are tried again, honouring Retry-After,
 * under the same idempotency key, up to `maxRetries` times; what a caller sees then is the last error. The two operations
 * that make a new secret each time know no such key, and are tried again after a 429 alone.
 */
import { CarecoverConnectionError, CarecoverError } from './errors.ts';
import {
  type OperationCall,
  type OperationId,
  type OperationTypes,
  operations,
} from './generated/operations.ts';
import { List, type Page } from './pagination.ts';
import { isRetryable, pause, retryAfterSeconds, retryDelayMs } from './retry.ts';

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

/** What an operation answers, by the contract. */
type Answer<Id extends OperationId> = OperationTypes[Id]['answer'];
/** The operations that answer with a list. */
type ListId = { [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never }[OperationId];
type Item<Id extends ListId> = Answer<Id>['data'][number];

export interface CallInput<Id extends OperationId = OperationId> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: OperationTypes[Id]['body'];
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
/** What may stand in a path: nothing that would lead to another one. */
const IDENTIFIER = /^[A-Za-z0-9_-]+$/;

export class Transport {
  constructor(private readonly options: ClientOptions) {}

  /** Makes the call and gives the parsed body. @throws CarecoverError, CarecoverConnectionError, the signal's reason, a TypeError for an id that is none */
  call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id> = {},
    options: CallOptions = {},
  ): Promise<Answer<Id>> {
    return this.parsed<Answer<Id>>(id, input, options);
  }

  /** A list operation: its first page, or every item of every page. */
  list<Id extends ListId, Q extends { readonly starting_after?: string }>(
    id: Id,
    query: Q,
    options: CallOptions = {},
    params: Readonly<Record<string, string>> = {},
  ): List<Item<Id>, Q> {
    return new List(query, (page) =>
      this.parsed<Page<Item<Id>>>(id, { params, query: { ...page } }, options),
    );
  }

  private async parsed<T>(id: OperationId, input: CallInput, options: CallOptions): Promise<T> {
    const answer = await this.raw(id, input, options);
    try {
      return JSON.parse(answer.text) as T;
    } catch (cause) {
      throw notTheServices(answer, cause);
    }
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
    const repeatable = operation.method === 'GET' || operation.idempotent;
    for (let attempt = 0; ; attempt++) {
      const answer = await this.attempt(url, request, options);
      const lost = answer instanceof CarecoverConnectionError;
      if (!lost && (answer.status < 400 || operation.alsoSuccess === answer.status)) return answer;
      const error = lost ? answer : toError(answer);
      const retryAfter = lost ? null : retryAfterSeconds(answer.headers);
      const again = attempt < retries && isRetryable(lost ? null : answer.status, repeatable);
      const delayMs = again ? retryDelayMs(attempt, retryAfter, Math.random()) : null;
      if (delayMs === null) throw error;
      await pause(delayMs, options.signal);
    }
  }

  private url(path: string, input: CallInput): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = input.params?.[name] ?? '';
      if (!IDENTIFIER.test(id)) throw new TypeError(`${name} is not an identifier`);
      return id;
    });
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

/** The error that an answer tells of, or that it is not the service's: a proxy's page, or an error in another form. */
function toError(answer: RawAnswer): CarecoverError | CarecoverConnectionError {
  try {
    const { code, message, docs } = JSON.parse(answer.text).error;
    if (![code, message, docs].every((each) => typeof each === 'string')) {
      return notTheServices(answer, new TypeError('the error has another form'));
    }
    const requestId = answer.headers.get('x-request-id');
    const retryAfter = retryAfterSeconds(answer.headers);
    return new CarecoverError(answer.status, code, message, docs, requestId, retryAfter);
  } catch (cause) {
    return notTheServices(answer, cause);
  }
}

function notTheServices({ status }: RawAnswer, cause: unknown): CarecoverConnectionError {
  return new CarecoverConnectionError(`an answer with status ${status} that is not the service's`, { cause });
}

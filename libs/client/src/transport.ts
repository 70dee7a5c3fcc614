/**
 * Calls operations over HTTP. A call is retried after a 429, a 5xx or a lost connection, up to `maxRetries` times under the same
 * idempotency key, after the Retry-After or a backoff. If the last retry fails too, the call throws the error of that retry. The three
 * operations that create a new secret each time, one of them with a project, have no idempotency key and are retried only after a 429.
 *
 * Redirects are not followed, because a followed 301 or 302 repeats a POST as a GET, whose response would look like a result. A redirect is a
 * CarecoverConnectionError without a retry.
 */
import { requireBaseUrl, requireHeaders, requireKey, requireTimeout, serializeBody } from './caller-input.ts';
import { CarecoverConnectionError, CarecoverError } from './errors.ts';
import {
  type OperationCall,
  type OperationId,
  type OperationTypes,
  operations,
} from './generated/operations.ts';
import { List, type Page } from './pagination.ts';
import { isRetryable, retryAfterSeconds, retryDelayMs, waitMs } from './retry.ts';

export interface ClientOptions {
  /** A secret key (`sk_…`) or, in a browser, a token (`pt_…`). */
  readonly apiKey: string;
  /** The URL of the API with its version, such as `https://localhost:8443/v1`. */
  readonly baseUrl: string;
  /** The timeout of each request in milliseconds; a retry is a new request. Default 30,000. */
  readonly timeoutMs?: number;
  /** The maximum number of retries of a call. Default 4. */
  readonly maxRetries?: number;
  /** Replaces the global `fetch`, for example to trust a private certificate. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** The idempotency key. By default, one is generated per call. Pass your own to repeat a write after a restart of your process. */
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  readonly signal?: AbortSignal;
}

/** The body of an operation's response. */
type ResponseBody<Id extends OperationId> = OperationTypes[Id]['response'];
/**
 * The IDs of the operations that return a page of a list of items with IDs. The next page is requested by the ID of the page's last item.
 */
type ListId = {
  [Id in OperationId]: ResponseBody<Id> extends Page<{ readonly id: string }> ? Id : never;
}[OperationId];
type Item<Id extends ListId> = ResponseBody<Id>['data'][number];

export interface CallInput<Id extends OperationId = OperationId> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: OperationTypes[Id]['body'];
  readonly headers?: Readonly<Record<string, string>>;
  /** The file of an operation that receives one, in place of `body`. It is kept until the call ends, because a retry sends it again. */
  readonly file?: UploadedFile;
}

/** A file that an operation receives. */
export interface UploadedFile {
  /** The text in UTF-8, or the bytes. */
  readonly content: string | Uint8Array | Blob;
  readonly mediaType: string;
  /** How the bytes are compressed; by default they are not. */
  readonly encoding?: 'gzip';
}

export interface RawResponse {
  readonly status: number;
  /** The body of the response, exactly as received. */
  readonly text: string;
  readonly headers: Headers;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** The longest time of a timer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const DEFAULT_RETRIES = 4;
/** Matches identifiers that can be inserted in a path. Another character, such as `/`, could make the path that of another operation. */
const IDENTIFIER = /^[A-Za-z0-9_-]+$/;

export class Transport {
  // A program that prints the client does not print its key, because the fields are private at run time.
  readonly #authorization: string;
  readonly #baseUrl: string;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  readonly #fetch: typeof fetch | undefined;

  /** @throws TypeError if the options have no URL of the API or no key, for example because an environment variable is not set */
  constructor(options: ClientOptions) {
    requireBaseUrl(options.baseUrl);
    requireKey(options.apiKey);
    if (options.fetch !== undefined && typeof options.fetch !== 'function')
      throw new TypeError(`fetch must be a function; it is of the type ${typeof options.fetch}`);
    this.#authorization = `Bearer ${options.apiKey}`;
    this.#baseUrl = options.baseUrl.replace(/\/$/, '');
    requireTimeout(options.timeoutMs);
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#maxRetries = options.maxRetries ?? DEFAULT_RETRIES;
    this.#fetch = options.fetch;
  }

  /**
   * Calls an operation and returns the parsed body of the response.
   *
   * @throws CarecoverError for an API error
   * @throws CarecoverConnectionError without a valid response, such as for a redirect
   * @throws TypeError for a path parameter that is not an identifier, an invalid header or a body that is not JSON; it names the value and
   * does not contain it
   * @throws the AbortSignal's reason if it is aborted
   * @example await transport.call('getClaim', { params: { claim_id: 'clm_0199f2a4' } })
   */
  call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id> = {},
    options: CallOptions = {},
  ): Promise<ResponseBody<Id>> {
    return this.callParsed<ResponseBody<Id>>(id, input, options);
  }

  /** Calls a list operation. Returns a {@link List} of its pages. */
  list<Id extends ListId, Q extends { readonly starting_after?: string }>(
    id: Id,
    query: Q,
    options: CallOptions = {},
    params: Readonly<Record<string, string>> = {},
  ): List<Item<Id>, Q> {
    return new List(query, (page) =>
      this.callParsed<Page<Item<Id>>>(id, { params, query: { ...page } }, options),
    );
  }

  private async callParsed<T>(id: OperationId, input: CallInput, options: CallOptions): Promise<T> {
    const response = await this.raw(id, input, options);
    try {
      return JSON.parse(response.text) as T;
    } catch {
      throw invalidResponse(response);
    }
  }

  /** Calls an operation and returns the status, the headers and the exact text of the body. Throws as {@link call}. */
  async raw(id: OperationId, input: CallInput = {}, options: CallOptions = {}): Promise<RawResponse> {
    requireTimeout(options.timeoutMs);
    const operation: OperationCall = operations[id];
    const url = this.url(operation.path, input);
    const request = {
      method: operation.method,
      headers: this.headers(operation, input, options),
      ...(input.body === undefined ? {} : { body: serializeBody(input.body) }),
      ...(input.file === undefined ? {} : { body: input.file.content as RequestInit['body'] & {} }),
    };
    const retries = options.maxRetries ?? this.#maxRetries;
    const isRepeatable = operation.method === 'GET' || operation.idempotent;
    for (let attempt = 0; ; attempt++) {
      const response = await this.attempt(url, request, options);
      const isLost = response instanceof CarecoverConnectionError;
      if (!isLost && isSuccess(response, operation)) return response;
      const error = isLost ? response : toError(response);
      const retryAfter = isLost ? null : retryAfterSeconds(response.headers);
      const canRetry = attempt < retries && isRetryable(isLost ? null : response.status, isRepeatable);
      const delayMs = canRetry ? retryDelayMs(attempt, retryAfter, Math.random()) : null;
      if (delayMs === null) throw error;
      await waitMs(delayMs, options.signal);
    }
  }

  private url(path: string, input: CallInput): string {
    // Replaces the parameters in the path by their values, as `expandPath` in the package `contract` does. The published client must not
    // depend on that package.
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = input.params?.[name] ?? '';
      if (!IDENTIFIER.test(id)) throw new TypeError(`${name} must be an identifier such as clm_0199f2a4`);
      return id;
    });
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    const search = query.size === 0 ? '' : `?${query}`;
    return `${this.#baseUrl}${filled}${search}`;
  }

  private headers(operation: OperationCall, input: CallInput, options: CallOptions) {
    const headers: Record<string, string> = {
      ...input.headers,
      authorization: this.#authorization,
    };
    if (input.body !== undefined) headers['content-type'] = 'application/json';
    if (input.file !== undefined) headers['content-type'] = input.file.mediaType;
    if (input.file?.encoding !== undefined) headers['content-encoding'] = input.file.encoding;
    if (operation.idempotent) headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
    requireHeaders(headers);
    return headers;
  }

  private async attempt(
    url: string,
    request: RequestInit,
    options: CallOptions,
  ): Promise<RawResponse | CarecoverConnectionError> {
    // One controller per attempt: a signal that combines others can be collected as garbage with its timeout, before the response.
    const ended = new AbortController();
    const end = () => ended.abort(options.signal?.reason);
    const timeoutMs = Math.min(options.timeoutMs ?? this.#timeoutMs, LONGEST_TIMEOUT_MS);
    const timer = setTimeout(
      () => ended.abort(new DOMException('the response did not arrive in time', 'TimeoutError')),
      timeoutMs,
    );
    options.signal?.addEventListener('abort', end, { once: true });
    if (options.signal?.aborted === true) end();
    try {
      const { signal } = ended;
      const response = await (this.#fetch ?? fetch)(url, { ...request, redirect: 'manual', signal });
      return { status: response.status, text: await response.text(), headers: response.headers };
    } catch (error) {
      options.signal?.throwIfAborted();
      return new CarecoverConnectionError(`no response from ${new URL(url).origin}${reasonOf(error)}`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', end);
    }
  }
}

/** The codes of Node's errors for a certificate that no trusted authority has signed. */
const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

const DEEPEST_CAUSE = 5;

/** An error of any realm, such as that of the global `fetch` in a test runner, for which `instanceof Error` is false. */
interface ErrorOfAnyRealm {
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

function isError(value: unknown): value is ErrorOfAnyRealm {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'message') === 'string';
}

/** Returns the innermost reason of a failed request as the end of a message, such as `: connect ECONNREFUSED 127.0.0.1:8443`. */
function reasonOf(error: unknown): string {
  let innermost = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && isError(innermost); depth += 1) {
    // A host name with several addresses fails with the errors of all of them.
    const [first] = Array.isArray(innermost.errors) ? innermost.errors : [];
    innermost = innermost.cause ?? first ?? innermost;
  }
  if (!isError(innermost) || innermost.message === '') return '';
  const remedy = UNTRUSTED.has(String(innermost.code))
    ? ' (set NODE_EXTRA_CA_CERTS to the authority’s file before Node starts)'
    : '';
  return `: ${innermost.message}${remedy}`;
}

/**
 * Returns whether a response is a result and not an error: its status is 200 to 299. A status above 399 is one only if the body is a resource,
 * because a proxy can send the same status.
 */
function isSuccess({ status, text }: RawResponse, { alsoSuccess }: OperationCall): boolean {
  if (status >= 200 && status < 300) return true;
  if (status !== alsoSuccess) return false;
  try {
    return typeof JSON.parse(text)?.object === 'string';
  } catch {
    return false;
  }
}

/** Converts an error response to an API error, or to a connection error if it is not from Carecover, such as a proxy's page or a redirect. */
function toError(response: RawResponse): CarecoverError | CarecoverConnectionError {
  // In a browser, the response to a request that is redirected has the status 0.
  if (response.status < 400)
    return new CarecoverConnectionError(
      `the response with status ${response.status} is a redirect, which is not followed: set baseUrl to the URL of the API itself`,
    );
  try {
    const { code, message, docs } = JSON.parse(response.text).error;
    if (![code, message, docs].every((each) => typeof each === 'string')) return invalidResponse(response);
    const requestId = response.headers.get('x-request-id');
    const retryAfter = retryAfterSeconds(response.headers);
    return new CarecoverError(response.status, code, message, docs, requestId, retryAfter);
  } catch {
    return invalidResponse(response);
  }
}

/** Has no cause: the message of a parser's error quotes the response, which can contain a token or a signing secret. */
function invalidResponse({ status }: RawResponse): CarecoverConnectionError {
  return new CarecoverConnectionError(`the response with status ${status} is not from the service`);
}

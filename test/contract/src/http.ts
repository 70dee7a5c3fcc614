/** Sends the requests of contract tests unchanged, over TLS or plain HTTP, and returns the text and the parsed body of each response. */
import { expandPath, type Operation } from '@carecover/contract';
import type { Agent } from 'undici';
import type { Deviation } from './common';
import type { Attempt } from './provocations/provocation';

export interface Credentials {
  /** A key with every scope. */
  readonly main: string;
  /** Returns a key that has all scopes except `scope`. It belongs to the same project as the key with every scope. */
  readonly noScope: (scope: string) => string;
  /** A short-lived token instead of a secret key. An operation that requires a secret key rejects a request with this token. */
  readonly token: string;
  /** A key whose limit of one request per minute is used up. */
  readonly exhausted: string;
}

/** A request whose parts are sent unchanged. */
export interface RawRequest {
  /** The path below the base path, encoded and with the query. */
  readonly path: string;
  /** The headers by name. A header with an array of values is sent as one line per value. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: unknown;
}

export class Sender {
  private sent = 0;

  constructor(
    /** The URL of each gateway, such as `https://host:port/v1`. They are used in rotation. */
    private readonly baseUrls: readonly string[],
    private readonly agent: Agent,
    private readonly credentials: Credentials,
  ) {}

  /**
   * Creates a sender that sends every request with the key `key`, even a request for which another sender would use a token or a key
   * without a scope.
   */
  static withKey(key: string, baseUrls: readonly string[], agent: Agent): Sender {
    return new Sender(baseUrls, agent, { main: key, noScope: () => key, token: key, exhausted: key });
  }

  async send(
    operation: Operation,
    attempt: Attempt,
    deviation: Deviation = {},
    idempotencyKey?: string,
  ): Promise<RawResponse> {
    const path = expandPath(operation.path, (name) => encodeURIComponent(attempt.params?.[name] ?? ''));
    const query = attempt.query === undefined ? '' : `?${new URLSearchParams(attempt.query)}`;
    const { file } = attempt;
    const json = attempt.body === undefined ? undefined : JSON.stringify(attempt.body);
    const body = deviation.rawBody ?? file?.text ?? json;
    return this.request(deviation.method ?? operation.method, deviation.plainHttp === true, {
      path: `${path}${query}`,
      headers: {
        ...attempt.headers,
        ...(attempt.key === undefined || deviation.credential !== undefined
          ? this.authorization(operation, deviation)
          : { authorization: `Bearer ${attempt.key}` }),
        ...(body === undefined
          ? {}
          : { 'content-type': deviation.contentType ?? file?.mediaType ?? 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body,
    });
  }

  /** Sends a request unchanged, with the key that has every scope. */
  sendRaw(method: string, raw: RawRequest): Promise<RawResponse> {
    const headers = { ...raw.headers, authorization: `Bearer ${this.credentials.main}` };
    return this.request(method, false, { ...raw, headers });
  }

  private async request(
    method: string,
    plainHttp: boolean,
    { path, headers, body }: RawRequest,
  ): Promise<RawResponse> {
    const { origin, pathname } = new URL(this.baseUrls[this.sent++ % this.baseUrls.length] ?? '');
    // The request is sent with a separate origin and path, because undici would normalize the path of a complete URL.
    const response = await this.agent.request({
      origin: plainHttp ? origin.replace('https:', 'http:') : origin,
      path: pathname + path,
      method: method as 'GET',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, headers: response.headers, text, body: JSON.parse(text) };
  }

  private authorization({ scope }: Operation, { credential }: Deviation): Record<string, string> {
    if (credential === 'none') return {};
    return { authorization: `Bearer ${this.key(scope, credential)}` };
  }

  private key(scope: string, credential: Deviation['credential']): string {
    if (credential === 'unknown') return 'sk_test_unknown';
    if (credential === 'exhausted') return this.credentials.exhausted;
    if (credential === 'no scope')
      return scope === 'secret key' ? this.credentials.token : this.credentials.noScope(scope);
    return this.credentials.main;
  }
}

/** Sends a contract test's requests exactly as they are described, over TLS or not, and gives the answer unparsed too. */
import type { Operation } from '@carecover/contract';
import type { Agent } from 'undici';
import type { Departure } from './common';
import type { Attempt } from './provocations/provocation';

export interface Credentials {
  /** Every scope. */
  readonly main: string;
  /** A key of the same project without this scope. */
  readonly noScope: (scope: string) => string;
  /** A token, for operations that want a secret key. */
  readonly token: string;
  /** Of a project whose limit is one request a minute. */
  readonly exhausted: string;
}

/** A request to the byte. */
export interface RawRequest {
  /** With its query, encoded, below the base path. */
  readonly path: string;
  /** More than one value: a line for each. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: unknown;
}

export class Sender {
  private sent = 0;

  constructor(
    /** `https://host:port/v1` of each gateway: they are asked in turn. */
    private readonly baseUrls: readonly string[],
    private readonly agent: Agent,
    private readonly credentials: Credentials,
  ) {}

  /** One that has a single key for everything, as where no request is to fail for its key. */
  static of(key: string, baseUrls: readonly string[], agent: Agent): Sender {
    return new Sender(baseUrls, agent, { main: key, noScope: () => key, token: key, exhausted: key });
  }

  async send(
    operation: Operation,
    attempt: Attempt,
    departure: Departure = {},
    idempotencyKey?: string,
  ): Promise<Answer> {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(attempt.params?.[name] ?? ''),
    );
    const query = attempt.query === undefined ? '' : `?${new URLSearchParams(attempt.query)}`;
    const body = departure.rawBody ?? (attempt.body === undefined ? undefined : JSON.stringify(attempt.body));
    return this.ask(departure.method ?? operation.method, departure.plainHttp === true, {
      path: `${path}${query}`,
      headers: {
        ...attempt.headers,
        ...this.authorization(operation, departure),
        ...(body === undefined ? {} : { 'content-type': departure.contentType ?? 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body,
    });
  }

  /** Sends with the main key what is described to the byte. */
  sendRaw(method: string, raw: RawRequest): Promise<Answer> {
    const headers = { ...raw.headers, authorization: `Bearer ${this.credentials.main}` };
    return this.ask(method, false, { ...raw, headers });
  }

  private async ask(
    method: string,
    plainHttp: boolean,
    { path, headers, body }: RawRequest,
  ): Promise<Answer> {
    const { origin, pathname } = new URL(this.baseUrls[this.sent++ % this.baseUrls.length] ?? '');
    // A path apart from its origin is sent as it is, where a URL's would be normalized.
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

  private authorization({ scope }: Operation, { credential }: Departure): Record<string, string> {
    if (credential === 'none') return {};
    return { authorization: `Bearer ${this.key(scope, credential)}` };
  }

  private key(scope: string, credential: Departure['credential']): string {
    if (credential === 'unknown') return 'sk_test_unknown';
    if (credential === 'exhausted') return this.credentials.exhausted;
    if (credential === 'no scope')
      return scope === 'secret key' ? this.credentials.token : this.credentials.noScope(scope);
    return this.credentials.main;
  }
}

/** Sends a contract test's requests exactly as they are described, over TLS or not, and gives the answer unparsed too. */
import type { Operation } from '@carecover/contract';
import { type Agent, request } from 'undici';
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
    const baseUrl = this.baseUrls[this.sent++ % this.baseUrls.length] ?? '';
    const base = departure.plainHttp ? baseUrl.replace('https:', 'http:') : baseUrl;
    const body = departure.rawBody ?? (attempt.body === undefined ? undefined : JSON.stringify(attempt.body));
    const response = await request(`${base}${path}${query}`, {
      method: (departure.method ?? operation.method) as 'GET',
      dispatcher: this.agent,
      headers: {
        ...attempt.headers,
        ...this.authorization(operation, departure),
        ...(body === undefined ? {} : { 'content-type': departure.contentType ?? 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
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

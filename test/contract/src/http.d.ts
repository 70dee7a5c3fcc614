/** Sends a contract test's requests exactly as they are described, over TLS or not, and gives the answer unparsed too. */
import type { Operation } from '@carecover/contract';
import { type Agent } from 'undici';
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
export declare class Sender {
  /** `https://host:port/v1` */
  private readonly baseUrl;
  private readonly agent;
  private readonly credentials;
  constructor(
    /** `https://host:port/v1` */
    baseUrl: string,
    agent: Agent,
    credentials: Credentials,
  );
  send(
    operation: Operation,
    attempt: Attempt,
    departure?: Departure,
    idempotencyKey?: string,
  ): Promise<Answer>;
  private authorization;
  private key;
}

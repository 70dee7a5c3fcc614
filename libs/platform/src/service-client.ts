/**
 * HTTP from one part of the system to another, with the signed context. Failure policy: closed; a part that does not
 * answer within its time is 503 to whoever asked, and nothing is retried here but the choice of a replica.
 */

import type { ErrorCode } from '@carecover/contract';
import { Agent, type Dispatcher, request } from 'undici';
import { CONTEXT_HEADER, signContext } from './context';
import { Refusal, unavailable } from './refusal';
import type { Caller } from './tenant';
import { activeTraceparent, SpanKind, traced } from './tracing/spans';
import { TRACEPARENT } from './tracing/traceparent';

const TIMEOUT_MS = 10_000;

export class ServiceClient {
  private next = 0;

  /**
   * @param name for messages, such as `care`
   * @param urls one address a replica; they take turns
   */
  constructor(
    private readonly name: string,
    private readonly urls: readonly string[],
    private readonly contextSecret: string,
    private readonly agent: Dispatcher = new Agent({
      connections: 64,
      pipelining: 1,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    }),
  ) {}

  /** Reads another service's internal route. @throws Refusal as that service refused, or service_unavailable */
  async get<T>(caller: Caller, path: string): Promise<T> {
    return this.send<T>('GET', caller, path, null);
  }

  async post<T>(caller: Caller, path: string, body: unknown): Promise<T> {
    return this.send<T>('POST', caller, path, body);
  }

  private async send<T>(method: 'GET' | 'POST', caller: Caller, path: string, body: unknown): Promise<T> {
    const { statusCode, payload } = await traced(`${method} ${this.name}`, SpanKind.CLIENT, () =>
      this.tryReplicas(method, caller, path, body),
    );
    if (statusCode < 300) return payload as T;
    const { error } = payload as { error: { code: ErrorCode; message: string } };
    throw new Refusal(error.code, error.message);
  }

  private async tryReplicas(method: 'GET' | 'POST', caller: Caller, path: string, body: unknown) {
    const traceparent = activeTraceparent();
    for (let attempt = 0; attempt < this.urls.length; attempt++) {
      const base = this.urls[this.next++ % this.urls.length];
      try {
        const response = await request(`${base}/internal${path}`, {
          method,
          dispatcher: this.agent,
          headers: {
            [CONTEXT_HEADER]: signContext(caller, this.contextSecret),
            'x-request-id': caller.requestId,
            ...(traceparent === null ? {} : { [TRACEPARENT]: traceparent }),
            ...(body === null ? {} : { 'content-type': 'application/json' }),
          },
          body: body === null ? null : JSON.stringify(body),
        });
        return { statusCode: response.statusCode, payload: await response.body.json() };
      } catch (error) {
        const refusedConnection = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
        if (!refusedConnection) break;
      }
    }
    throw unavailable(`The ${this.name} service`);
  }

  close(): Promise<void> {
    return this.agent.close();
  }
}

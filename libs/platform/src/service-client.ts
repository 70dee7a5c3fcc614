/**
 * HTTP from one service to another's internal routes, which are idempotent, with a service's signed context. Failure policy: closed; a
 * service whose replicas do not answer in time is 503. Only the choice of a replica is retried here (see replicas.ts).
 */
import { errorStatus, isErrorCode } from '@carecover/contract';
import { ApiError, unavailable } from './api-error';
import { CONTEXT_HEADER, signContext } from './context';
import { Replicas } from './replicas';
import type { Caller } from './tenant';
import { activeTraceparent, SpanKind, traced } from './tracing/spans';
import { TRACEPARENT } from './tracing/traceparent';

export class ServiceClient {
  private readonly replicas: Replicas;

  /**
   * @param name for messages, such as `care`
   * @param urls one address per replica
   */
  constructor(
    private readonly name: string,
    urls: readonly string[],
    private readonly contextSecret: string,
  ) {
    this.replicas = new Replicas(urls);
  }

  /** Reads another service's internal route. @throws ApiError as that service rejected, or service_unavailable */
  get<T>(caller: Caller, path: string): Promise<T> {
    return this.send<T>('GET', caller, path, null);
  }

  /** As {@link get}, with a body. @param signal gives the call up */
  post<T>(caller: Caller, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.send<T>('POST', caller, path, JSON.stringify(body), signal);
  }

  private async send<T>(
    method: 'GET' | 'POST',
    caller: Caller,
    path: string,
    body: string | null,
    signal?: AbortSignal,
  ): Promise<T> {
    const { status, text } = await traced(`${method} ${this.name}`, SpanKind.CLIENT, () =>
      this.sendToReplicas(method, caller, path, body, signal),
    );
    const payload = JSON.parse(text);
    if (status < 300) return payload as T;
    const { code, message } = payload.error;
    // Rejected as a caller, which is a fault of ours and never the answer to a client.
    if (!isErrorCode(code) || code === 'api_key_invalid' || code === 'permission_denied') {
      throw new Error(`the ${this.name} service rejected ${caller.authority}: ${status} ${message}`);
    }
    if (errorStatus(code) < 500) throw new ApiError(code, message);
    // The service's own reason is for the history of the workflow that calls it, not for clients.
    throw Object.assign(unavailable(`The ${this.name} service`), { cause: new Error(message) });
  }

  private async sendToReplicas(
    method: 'GET' | 'POST',
    caller: Caller,
    path: string,
    body: string | null,
    signal: AbortSignal | undefined,
  ) {
    const traceparent = activeTraceparent();
    try {
      return await this.replicas.send({
        method,
        path: `/internal${path}`,
        headers: {
          [CONTEXT_HEADER]: signContext(caller, this.contextSecret),
          'x-request-id': caller.requestId,
          ...(traceparent === null ? {} : { [TRACEPARENT]: traceparent }),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body,
        isRepeatable: true,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch {
      throw unavailable(`The ${this.name} service`);
    }
  }

  close(): Promise<void> {
    return this.replicas.close();
  }
}

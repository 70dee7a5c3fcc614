/**
 * HTTP client for the internal routes of another service, which are idempotent.
 *
 * Failure policy: closed. If no replica responds in time, the call fails with service_unavailable. A request is
 * sent again only to another replica, see replicas.ts.
 */
import { errorStatus, isErrorCode } from '@carecover/contract';
import type { Secrets } from '@carecover/setup/config';
import { ApiError, unavailable } from './api-error';
import { CONTEXT_HEADER, signContext } from './context';
import { Replicas } from './replicas';
import { activeCost, COST_HEADER } from './request-cost';
import type { Caller } from './tenant';
import { activeTraceparent, SpanKind, withSpan } from './tracing/spans';
import { TRACEPARENT } from './tracing/traceparent';

/**
 * Client of another service's internal routes.
 *
 * @example const care = new ServiceClient('care', config.CARE_URL, config.CONTEXT_SECRET);
 */
export class ServiceClient {
  private readonly replicas: Replicas;

  /**
   * Creates a client.
   *
   * @param name name of the other service, for error messages
   * @param urls one URL per replica
   */
  constructor(
    private readonly name: string,
    urls: readonly string[],
    private readonly contextSecrets: Secrets,
  ) {
    this.replicas = new Replicas(urls);
  }

  /** Sends GET to an internal route. @throws ApiError with the code of the other service, or service_unavailable */
  get<T>(caller: Caller, path: string): Promise<T> {
    return this.send<T>('GET', caller, path, null);
  }

  /** Sends POST to an internal route. Throws the same errors as {@link get}. @param signal cancels the call */
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
    const {
      status,
      headers,
      body: answer,
    } = await withSpan(`${method} ${this.name}`, SpanKind.CLIENT, () =>
      this.sendToReplicas(method, caller, path, body, signal),
    );
    activeCost()?.addReported(headers[COST_HEADER]);
    const payload = JSON.parse(answer.toString('utf8'));
    if (status < 300) return payload as T;
    const { code, message } = payload.error;
    // The other service rejected the credentials of this service. The cause is a configuration error or a bug, not the client's request.
    if (!isErrorCode(code) || code === 'api_key_invalid' || code === 'permission_denied') {
      throw new Error(`the ${this.name} service rejected ${caller.authority}: ${status} ${message}`);
    }
    if (errorStatus(code) < 500) throw new ApiError(code, message);
    // Temporal's history of the calling workflow shows the `cause` of the error. Clients do not receive it.
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
          [CONTEXT_HEADER]: signContext(caller, this.contextSecrets),
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

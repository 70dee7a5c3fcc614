/**
 * HTTP client for the internal routes of another service, which are idempotent.
 *
 * Failure policy: closed. If no replica responds in time, the call fails with service_unavailable. A request is
 * sent again only to another replica, see replicas.ts. It ends with the work that waits for it (abort-scope.ts). No deadline is passed on:
 * each call between services has a limit of its own.
 */
import { errorStatus, isErrorCode, type ServiceName } from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import { ApiError, activeProjectTime, TRACEPARENT, unavailable } from '@carecover/domain';
import { activeAbortSignal } from '@carecover/process';
import { activeCost, activeTraceparent, COST_HEADER, SpanKind, withSpan } from '@carecover/telemetry';
import { CONTEXT_HEADER, type ContextSigner } from './context';
import { Replicas } from './replicas';

/**
 * Client of another service's internal routes.
 *
 * @example const care = new ServiceClient('care', config.CARE_URL, new ContextSigner('claims', config));
 */
export class ServiceClient {
  private readonly replicas: Replicas;

  /**
   * Creates a client.
   *
   * @param name name of the other service
   * @param urls one URL per replica
   * @param signer the signer of this process
   */
  constructor(
    private readonly name: ServiceName,
    urls: readonly string[],
    private readonly signer: ContextSigner,
  ) {
    this.replicas = new Replicas(urls);
  }

  /** Sends GET to an internal route. @throws ApiError with the code of the other service, or service_unavailable */
  get<T>(caller: Caller, path: string): Promise<T> {
    return this.send<T>('GET', caller, path, null);
  }

  /** Sends POST to an internal route. Throws the same errors as {@link get}. */
  post<T>(caller: Caller, path: string, body: unknown): Promise<T> {
    return this.send<T>('POST', caller, path, JSON.stringify(body));
  }

  private async send<T>(
    method: 'GET' | 'POST',
    caller: Caller,
    path: string,
    body: string | null,
  ): Promise<T> {
    const {
      status,
      headers,
      body: answer,
    } = await withSpan(`${method} ${this.name}`, SpanKind.CLIENT, () =>
      this.sendToReplicas(method, caller, path, body),
    );
    activeCost()?.addReported(headers[COST_HEADER]);
    const payload = JSON.parse(answer.toString('utf8'));
    if (status < 300) return payload as T;
    const { code, message } = payload.error;
    // The other service does not let this service call the route. The cause is a bug, not the client's request.
    if (!isErrorCode(code) || code === 'permission_denied') {
      throw new Error(`the ${this.name} service rejected ${caller.authority}: ${status} ${message}`);
    }
    // 401: the signed context is not valid. The keys or the clocks of the two services differ, which the log of the other service names.
    if (errorStatus(code) < 500 && status !== 401) throw new ApiError(code, message);
    // Temporal's history of the calling workflow shows the `cause` of the error. Clients do not receive it.
    throw Object.assign(unavailable(`The ${this.name} service`), { cause: new Error(message) });
  }

  private async sendToReplicas(method: 'GET' | 'POST', caller: Caller, path: string, body: string | null) {
    const traceparent = activeTraceparent();
    const signal = activeAbortSignal();
    try {
      return await this.replicas.send({
        method,
        path: `/internal${path}`,
        headers: {
          [CONTEXT_HEADER]: this.signer.sign(caller, this.name),
          'x-request-id': caller.requestId,
          ...(traceparent === null ? {} : { [TRACEPARENT]: traceparent }),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body,
        isRepeatable: true,
        idScope: activeProjectTime()?.ids?.next().name,
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

/**
 * Hands a checked request to its service, with the signed context as the only word about the caller, and gives the
 * service's answer back: its bytes as they are, except that an error's `docs` lead to this gateway.
 */
import {
  BASE_PATH,
  type ErrorEnvelope,
  errorDocs,
  isErrorCode,
  type Operation,
  type ServiceName,
} from '@carecover/contract';
import {
  activeTraceparent,
  type Caller,
  CONTEXT_HEADER,
  isTracing,
  parseTraceparent,
  type ReplicaResponse,
  SpanKind,
  signContext,
  TRACEPARENT,
  withSpan,
} from '@carecover/platform';
import { JSON_CONTENT } from './answers';
import type { RequestBodyBudget } from './request-body-budget';
import type { CheckedRequest } from './request-check';
import { admissionOf, type GatewayContext } from './request-state';
import type { Admission } from './store/admission';
import type { Upstream } from './upstream';

export type Upstreams = Readonly<Record<Exclude<ServiceName, 'gateway'>, Upstream>>;

export interface ForwardOptions {
  readonly upstreams: Upstreams;
  /** What answers hold of the memory that their clients do not read. */
  readonly unread: RequestBodyBudget;
  readonly contextSecret: string;
}

/** How decisions name who made them. */
function authorityOf({ tenant, keyId, tokenId }: Admission): string {
  const key = `project:${tenant}/key:${keyId}`;
  return tokenId === null ? key : `${key}/token:${tokenId}`;
}

function callerOf(admission: Admission, requestId: string): Caller {
  return {
    tenant: admission.tenant,
    environment: admission.environment,
    authority: authorityOf(admission),
    requestId,
    resourceIds: admission.resourceIds,
    consentDefault: admission.consentDefault,
    endpointLimit: admission.endpointLimit,
  };
}

/** The path in its one spelling, since a service recognises a retry by it. */
function pathOf(operation: Operation, request: CheckedRequest, queryString: string): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(request.params[name] ?? ''),
  );
  return BASE_PATH + path + (queryString === '' ? '' : `?${queryString}`);
}

function headersOf(
  ctx: GatewayContext,
  request: CheckedRequest,
  contextSecret: string,
): Record<string, string> {
  const headers: Record<string, string> = {
    [CONTEXT_HEADER]: signContext(callerOf(admissionOf(ctx), ctx.state.requestId), contextSecret),
    'x-request-id': ctx.state.requestId,
  };
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  if (request.rawBody !== null) headers['content-type'] = JSON_CONTENT;
  const traceparent = isTracing() ? activeTraceparent() : callersTrace(ctx);
  if (traceparent !== null) headers[TRACEPARENT] = traceparent;
  return headers;
}

/** The W3C trace context that the caller brings, for services that trace where this process does not. */
function callersTrace(ctx: GatewayContext): string | null {
  const given = ctx.get(TRACEPARENT);
  return given !== '' && parseTraceparent(given) !== null ? given : null;
}

function isError(body: unknown): body is ErrorEnvelope {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && isErrorCode(String(error.code));
}

/** An error answer with its `docs` led to this gateway; another answer (a failed test delivery) as it is. */
function withOurDocs(text: string, origin: string): string {
  const body: unknown = JSON.parse(text);
  if (!isError(body)) return text;
  const { code, message } = body.error;
  return JSON.stringify({ error: { code, message, docs: errorDocs(origin, code) } });
}

/** Shorter answers fit what the connection buffers anyway. */
const LONG_ANSWER_BYTES = 64 * 1024;

/** Counts an answer until it is sent or its connection ends. @throws ApiError service_unavailable where too much is unread */
function holdAnswer(ctx: GatewayContext, text: string, unread: RequestBodyBudget): void {
  if (text.length <= LONG_ANSWER_BYTES) return;
  const hold = unread.of(admissionOf(ctx).tenant);
  hold.add(Buffer.byteLength(text));
  ctx.res.once('close', () => hold.release());
}

function passOn(
  ctx: GatewayContext,
  { status, headers, text }: ReplicaResponse,
  unread: RequestBodyBudget,
): void {
  holdAnswer(ctx, text, unread);
  const replayed = headers['idempotent-replayed'];
  const retryAfter = headers['retry-after'];
  if (typeof replayed === 'string') ctx.set('Idempotent-Replayed', replayed);
  if (typeof retryAfter === 'string') ctx.set('Retry-After', retryAfter);
  ctx.status = status;
  ctx.type = JSON_CONTENT;
  ctx.body = status >= 400 ? withOurDocs(text, ctx.state.origin) : text;
}

/**
 * Forwards the request and answers with what comes back. A write whose answer finds no room has had its effect, and its retry
 * under the same key gets that answer.
 *
 * @throws ApiError service_unavailable
 */
export async function forward(
  ctx: GatewayContext,
  operation: Operation,
  request: CheckedRequest,
  { upstreams, unread, contextSecret }: ForwardOptions,
): Promise<void> {
  if (operation.service === 'gateway') throw new Error(`${operation.id} is answered by the gateway itself`);
  const { service } = operation;
  const answer = await withSpan(`${operation.method} ${service}`, SpanKind.CLIENT, () => {
    const headers = headersOf(ctx, request, contextSecret);
    return upstreams[service].send(admissionOf(ctx).tenant, {
      method: operation.method,
      path: pathOf(operation, request, ctx.querystring),
      headers,
      body: request.rawBody,
      isRepeatable: operation.method === 'GET' || 'idempotency-key' in headers,
    });
  });
  passOn(ctx, answer, unread);
}

/**
 * Forwards a checked request to its service. The signed context alone identifies the caller. The service's response is sent to the
 * client with the same bytes, except that an error's `docs` link to this gateway. If the service answers that the request is too early, the
 * gateway waits without a permit, and sends it again.
 */
import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  BASE_PATH,
  type ErrorEnvelope,
  errorDocs,
  expandPath,
  isErrorCode,
  type Operation,
  type ServiceName,
} from '@carecover/contract';
import {
  ApiError,
  type Caller,
  isSimulated,
  isTraceparent,
  type Tenant,
  TRACEPARENT,
} from '@carecover/domain';
import {
  CONTEXT_HEADER,
  type ContextSigner,
  onResponseEnd,
  preferredType,
  projectAuthority,
  type ReplicaRequest,
  type ReplicaResponse,
  repeatWhenTooEarly,
  type StreamedResponse,
  TooEarly,
  uploadOf,
  WAIT_HEADER,
} from '@carecover/http';
import { activeTraceparent, COST_HEADER, isTracing, SpanKind, withSpan } from '@carecover/telemetry';
import type { Hold, MemoryBudget } from './memory-budget';
import { MEBIBYTE_MS, type ProjectCapacity, type Turn, workOf } from './project-capacity';
import type { CheckedRequest } from './request-check';
import { admissionOf, type GatewayContext } from './request-state';
import { JSON_CONTENT } from './response-envelope';
import type { Admission } from './store/admissions';
import type { AnsweredWrite } from './store/test-clocks';
import type { Upstream } from './upstream';

export type Upstreams = Readonly<Record<Exclude<ServiceName, 'gateway'>, Upstream>>;

export interface ForwardOptions {
  readonly upstreams: Upstreams;
  readonly capacity: ProjectCapacity;
  /** The limit on the memory of long responses that clients have not read yet. */
  readonly unreadBudget: MemoryBudget;
  readonly signer: ContextSigner;
  /** Moves the clock of a simulated project after a write, so that the next write is later. */
  readonly tick: (tenant: Tenant, write: AnsweredWrite) => Promise<void>;
  /** Returns what a request is for the IDs that it makes in a project with a seed; null if they are random. */
  readonly idScope: (tenant: Tenant, operation: string, key: string) => Promise<string | null>;
  /** Waits some seconds until a simulated project's events have arrived at webhooks, and their attempts are recorded. */
  readonly settle: (tenant: Tenant, authority: string) => Promise<void>;
}

/** Who sends a request to a service. */
export interface Sender {
  readonly admission: Admission;
  readonly requestId: string;
  /** The client's `traceparent`; null without a valid one. */
  readonly traceparent: string | null;
  /** The HTTP response that waits for the service's response. */
  readonly response: ServerResponse;
}

/** Returns the sender of an admitted HTTP request. */
export function senderOf(ctx: GatewayContext): Sender {
  const { requestId } = ctx.state;
  return { admission: admissionOf(ctx), requestId, traceparent: callerTraceparent(ctx), response: ctx.res };
}

function callerOf({ admission, requestId }: Sender): Caller {
  return {
    tenant: admission.tenant,
    environment: admission.environment,
    authority: projectAuthority(admission.tenant, admission.keyId, admission.tokenId),
    requestId,
    scopes: admission.scopes,
    resourceIds: admission.resourceIds,
    consentDefault: admission.consentDefault,
    endpointLimit: admission.endpointLimit,
    currencies: admission.currencies,
  };
}

/** Returns the path with the query. The path has a canonical encoding, because services compare paths to recognize a repeated request. */
function pathOf(operation: Operation, request: CheckedRequest): string {
  const { queryString } = request;
  const path = expandPath(operation.path, (name) => encodeURIComponent(request.params[name] ?? ''));
  return BASE_PATH + path + (queryString === '' ? '' : `?${queryString}`);
}

function headersOf(
  sender: Sender,
  request: CheckedRequest,
  service: ServiceName,
  signer: ContextSigner,
): Record<string, string> {
  const headers: Record<string, string> = {
    [CONTEXT_HEADER]: signer.sign(callerOf(sender), service),
    'x-request-id': sender.requestId,
  };
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  if (request.rawBody !== null) headers['content-type'] = JSON_CONTENT;
  Object.assign(headers, request.upload);
  const traceparent = isTracing() ? activeTraceparent() : sender.traceparent;
  if (traceparent !== null) headers[TRACEPARENT] = traceparent;
  return headers;
}

/**
 * Returns the `traceparent` that the client sent; null if it is invalid. If this process has no tracing, it forwards this value, because
 * the service can have tracing.
 */
function callerTraceparent(ctx: GatewayContext): string | null {
  const given = ctx.get(TRACEPARENT);
  return isTraceparent(given) ? given : null;
}

function isError(body: unknown): body is ErrorEnvelope {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && isErrorCode(String(error.code));
}

/** Makes the `docs` of an API error a URL of this gateway. Returns any other body, such as that of a failed test delivery, unchanged. */
export function linkDocs(text: string, origin: string): string {
  const body: unknown = JSON.parse(text);
  if (!isError(body)) return text;
  const { code, message } = body.error;
  return JSON.stringify({ error: { code, message, docs: errorDocs(origin, code) } });
}

/**
 * Responses above this size count towards the memory limit of responses that clients have not read yet. Shorter responses fit into the
 * buffers of the connection.
 */
const LONG_RESPONSE_BYTES = 64 * 1024;

/**
 * Returns a function that counts the bytes of a long response, while they arrive from the service, towards the memory limit of unread
 * responses. They count until the response is sent or its connection ends. The function throws an ApiError service_unavailable if the limit
 * would be exceeded.
 */
function countUnread({ admission, response }: Sender, unreadBudget: MemoryBudget): (size: number) => void {
  let hold: Hold | undefined;
  let counted = 0;
  return (size) => {
    if (size <= Math.max(counted, LONG_RESPONSE_BYTES)) return;
    if (hold === undefined) {
      const started = unreadBudget.startHold(admission.tenant);
      onResponseEnd(response, () => started.release());
      hold = started;
    }
    hold.add(size - counted);
    counted = size;
  };
}

function sendResponse(ctx: GatewayContext, { status, headers, body }: ReplicaResponse): void {
  const replayed = headers['idempotent-replayed'];
  const retryAfter = headers['retry-after'];
  if (typeof replayed === 'string') ctx.set('Idempotent-Replayed', replayed);
  if (typeof retryAfter === 'string') ctx.set('Retry-After', retryAfter);
  ctx.status = status;
  ctx.type = JSON_CONTENT;
  ctx.body = status >= 400 ? linkDocs(body.toString('utf8'), ctx.state.origin) : body;
}

const MEBIBYTE = 1024 * 1024;

function outgoingRequest(
  sender: Sender,
  operation: Operation,
  request: CheckedRequest,
  format: string,
  idScope: string | undefined,
  { signer, unreadBudget }: ForwardOptions,
): ReplicaRequest {
  const headers = headersOf(sender, request, operation.service, signer);
  return {
    method: operation.method,
    path: pathOf(operation, request),
    headers: format === JSON_FORMAT ? headers : { ...headers, accept: format },
    body: request.rawBody,
    isRepeatable: operation.method === 'GET' || 'idempotency-key' in headers,
    idScope,
    onBytes: countUnread(sender, unreadBudget),
  };
}

const JSON_FORMAT = 'application/json';

/** Returns the service that executes the operation. @throws Error for an operation of the gateway */
function serviceOf({ id, service }: Operation): Exclude<ServiceName, 'gateway'> {
  if (service === 'gateway') throw new Error(`${id} is an operation of the gateway`);
  return service;
}

/** What webhooks shows in a simulated project must not depend on how fast events arrive: the request waits for them. */
async function settleBefore(sender: Sender, { service }: Operation, options: ForwardOptions): Promise<void> {
  const { tenant } = sender.admission;
  if (service === 'webhooks' && isSimulated(tenant)) await options.settle(tenant, callerOf(sender).authority);
}

async function idScopeOf(
  { admission: { tenant } }: Sender,
  { id, method }: Operation,
  request: CheckedRequest,
  options: ForwardOptions,
): Promise<string | undefined> {
  const key = request.headers['Idempotency-Key'];
  if (method === 'GET' || key === undefined || !isSimulated(tenant)) return undefined;
  return (await options.idScope(tenant, id, key)) ?? undefined;
}

/** Moves the clock of a simulated project after a write. A request that failed, and that the client repeats, does not move it. */
async function tickAfter(
  { admission: { tenant } }: Sender,
  { id, method, failures = [] }: Operation,
  request: CheckedRequest,
  response: Pick<ReplicaResponse, 'status' | 'headers'>,
  options: ForwardOptions,
): Promise<void> {
  if (method === 'GET' || !isSimulated(tenant)) return;
  if (response.status >= 500 && !failures.some(({ status }) => status === response.status)) return;
  const isReplayed = response.headers['idempotent-replayed'] !== undefined;
  await options.tick(tenant, {
    operation: id,
    key: request.headers['Idempotency-Key'] ?? null,
    isReplayed,
  });
}

/** Sends the request while it has a permit. `send` releases the permit. */
async function sendWithPermit<T extends Pick<ReplicaResponse, 'status' | 'headers'>>(
  sender: Sender,
  operation: Operation,
  request: CheckedRequest,
  format: string,
  turn: Turn,
  options: ForwardOptions,
  send: (forwarded: ReplicaRequest, release: () => void) => Promise<T>,
  work = workOf(operation, format !== JSON_FORMAT),
): Promise<T> {
  const service = serviceOf(operation);
  const release = await options.capacity.acquire(sender.admission.tenant, service, work);
  try {
    const idScope = await idScopeOf(sender, operation, request, options);
    const response = await withSpan(`${operation.method} ${service}`, SpanKind.CLIENT, () =>
      send(outgoingRequest(sender, operation, request, format, idScope, options), release),
    );
    turn.cost.addReported(response.headers[COST_HEADER]);
    await tickAfter(sender, operation, request, response, options);
    return response;
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Sends the request to the service of its operation, and again after a wait while it is too early. Returns the service's response.
 *
 * @param turn is charged with the cost that the service reports
 * @throws ApiError service_unavailable if no replica responds, if the request gets no permit, or if the response does not fit into the
 *   memory for responses that clients have not read yet; rate_limited if the project has no processor time for a request that was too early
 */
export async function requestService(
  sender: Sender,
  operation: Operation,
  request: CheckedRequest,
  turn: Turn,
  options: ForwardOptions,
): Promise<ReplicaResponse> {
  const upstream = options.upstreams[serviceOf(operation)];
  await settleBefore(sender, operation, options);
  const response = await repeatWhenTooEarly(async () => {
    const received = await sendWithPermit(
      sender,
      operation,
      request,
      JSON_FORMAT,
      turn,
      options,
      (forwarded, release) => upstream.send(forwarded).finally(release),
    );
    const waitMs = received.headers[WAIT_HEADER];
    if (waitMs !== undefined) throw new TooEarly(Number(waitMs));
    return received;
  }, turn.wait);
  turn.cost.add((response.body.length / MEBIBYTE) * MEBIBYTE_MS);
  return response;
}

/**
 * Forwards the request and sends the service's response. All responses that clients have not yet read share a limited memory
 * (`unreadBudget`). If a write's response does not fit, the write has taken effect, and a repeated request with the same idempotency key
 * gets the response.
 *
 * @throws ApiError as {@link requestService}; not_acceptable
 */
export async function forwardRequest(
  ctx: GatewayContext,
  operation: Operation,
  request: CheckedRequest,
  turn: Turn,
  options: ForwardOptions,
): Promise<void> {
  const sender = senderOf(ctx);
  if (request.upload !== undefined) {
    sendResponse(ctx, await forwardUpload(ctx, sender, operation, request, turn, options));
    return;
  }
  const format = formatOf(ctx, operation);
  if (format === JSON_FORMAT) {
    sendResponse(ctx, await requestService(sender, operation, request, turn, options));
    return;
  }
  const upstream = options.upstreams[serviceOf(operation)];
  const file = await sendWithPermit(
    sender,
    operation,
    request,
    format,
    turn,
    options,
    async (forwarded, release) => {
      const opened = await upstream.openFile(forwarded);
      opened.body.once('close', release);
      return opened;
    },
  );
  await sendFile(ctx, file);
}

/** The most that a project is charged, in milliseconds, for a file that a service did not answer: the service can be slow for another reason. */
const MAX_UNANSWERED_MS = 5_000;

/**
 * Forwards a file while it arrives, with a permit for files. The gateway reads no faster than the service. If the service responds before the
 * file has arrived, or fails, the rest of the file is not forwarded. A service that does not respond reports no cost; the project is then charged
 * the time since the service had the complete file.
 *
 * @throws ApiError service_unavailable if the service does not respond
 */
async function forwardUpload(
  ctx: GatewayContext,
  sender: Sender,
  operation: Operation,
  request: CheckedRequest,
  turn: Turn,
  options: ForwardOptions,
): Promise<ReplicaResponse> {
  const upstream = options.upstreams[serviceOf(operation)];
  const body = uploadOf(ctx.req);
  let completeAtMs = Number.POSITIVE_INFINITY;
  body.once('end', () => {
    completeAtMs = performance.now();
  });
  try {
    return await sendWithPermit(
      sender,
      operation,
      request,
      JSON_FORMAT,
      turn,
      options,
      async (forwarded, release) => {
        const opened = await upstream.openFile({ ...forwarded, body, isRepeatable: false }).finally(release);
        return { ...opened, body: await buffer(opened.body) };
      },
      'file',
    );
  } catch (error) {
    turn.cost.add(Math.max(0, Math.min(performance.now() - completeAtMs, MAX_UNANSWERED_MS)));
    throw error;
  } finally {
    body.destroy();
  }
}

/**
 * Returns the media type that the client prefers; application/json for an operation without files.
 *
 * @throws ApiError not_acceptable if the client accepts no format of an operation with files, or its Accept header is too long
 */
function formatOf(ctx: GatewayContext, { files }: Operation): string {
  if (files === undefined) return JSON_FORMAT;
  const formats: [string, ...string[]] = [JSON_FORMAT, ...files.map(({ mediaType }) => mediaType)];
  const accepted = preferredType(ctx, formats);
  if (accepted === false)
    throw new ApiError('not_acceptable', `/headers/Accept must name one of: ${formats.join(', ')}.`);
  return accepted;
}

/**
 * Sends a file while it arrives from the service. The service reads no faster than the client. If the client closes the connection, the
 * service's response is closed; if the service fails, the client's connection is closed, so that the client does not take an incomplete
 * file for a complete one.
 */
async function sendFile(ctx: GatewayContext, { status, headers, body }: StreamedResponse): Promise<void> {
  if (status === 200) {
    ctx.status = status;
    ctx.type = String(headers['content-type']);
    ctx.body = body;
    onResponseEnd(ctx.res, () => body.destroy());
  } else {
    sendResponse(ctx, { status, headers, body: await buffer(body) });
  }
}

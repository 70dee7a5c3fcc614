/**
 * The HTTP server of a service: its operations of the contract, and its internal routes. The gateway has validated requests by
 * their schemas; services check everything else. The server must not be reachable from outside.
 *
 * Failure policy: closed. An ApiError gets the contract's response, an unavailable dependency 503 with Retry-After, and any other
 * error 500; it is logged in full. Each response has the cost of the request (request-cost.ts).
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import type { JsonResponse, WriteRequest } from '@carecover/commands';
import type { Issuer, IssuerKeys } from '@carecover/config';
import {
  bodyBounds,
  expandPath,
  type Operation,
  type OperationId,
  type OperationInput,
  operationList,
  problemMessage,
  type ServiceName,
} from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import { ApiError } from '@carecover/domain';
import { nextTurn } from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import {
  activeTraceId,
  COST_HEADER,
  computeAtCost,
  HttpMetrics,
  isTracing,
  measureCost,
  RequestCost,
  type ServedRequest,
  traceRequests,
} from '@carecover/telemetry';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { ISSUERS_OF_OPERATIONS, ISSUERS_OF_OPERATOR_ROUTES } from './authority';
import { GracefulStop } from './close-server';
import { boundConnections, CONNECTION_LIMITS } from './connection-deadlines';
import { CONTEXT_HEADER, ContextVerifier, ID_SCOPE_HEADER } from './context';
import { errorResponse } from './error-response';
import { type QueryParameters, readQueryParameters } from './query-parameters';
import { requestHash } from './request-hash';
import { checkRequestHead, keepHeaderLines } from './request-head';
import { onResponseEnd } from './response-end';
import { parseStrictJson } from './strict-json';
import { TooEarly, WAIT_HEADER } from './too-early';
import { uploadOf } from './upload';

/** One validated request of an operation. */
export interface Call<Id extends OperationId> extends WriteRequest {
  readonly operation: Id;
  readonly caller: Caller;
  readonly params: OperationInput<Id>['params'];
  readonly query: OperationInput<Id>['query'];
  readonly body: OperationInput<Id>['body'];
  /** The bytes of the body as received. */
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body of an operation that receives a file, while it arrives; absent for other operations. */
  readonly upload?: Readable;
  /**
   * The HTTP status of the response to a repeated request. The contract defines for each operation whether it is 200 or the status of the
   * first response.
   */
  readonly replayStatus: number;
}

/** A response that is sent while it is produced. If the client closes the connection, the stream is destroyed or ends with an error. */
export interface FileResponse {
  readonly status: 200;
  readonly mediaType: string;
  readonly stream: Readable;
}

/** The response of a handler: a status with a body, a reply that is already serialized, or a file. */
export type HandlerResponse =
  | JsonResponse
  | FileResponse
  | { readonly status: number; readonly body: unknown };
export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<HandlerResponse>;
export type Handlers = { readonly [Id in OperationId]?: Handler<Id> };

/** A route below `/internal` that another service calls. Its handler must be idempotent. */
export interface InternalRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The only service that can call the route. */
  readonly caller: Issuer;
  readonly handle: (caller: Caller, params: Record<string, string>, body: unknown) => Promise<unknown>;
}

/**
 * A route below `/operator` that an operators' process such as the console calls, because the API has no operation for it. The tenant of
 * the caller is the project that the operator chose: a handler reads and changes only resources of that project.
 */
export type OperatorRoute = Omit<InternalRoute, 'caller'>;

export interface ServiceServerOptions {
  readonly service: ServiceName;
  readonly handlers: Handlers;
  readonly internal?: readonly InternalRoute[];
  readonly operator?: readonly OperatorRoute[];
  /** The public keys of the issuers of signed contexts. */
  readonly contextKeys: IssuerKeys;
  readonly hashSecret: string;
  readonly log: Log;
  /** Checks that the database responds and, in a process without the role `server`, that the worker runs. @throws if it is not ready */
  readonly ready: () => Promise<void>;
  /** Runs a request at the time of its project, which can be simulated, with the scope of its IDs. Default: at the real time. */
  readonly atProjectTime?: <T>(project: string, work: () => Promise<T>, idScope: string | null) => Promise<T>;
}

/** A read has no idempotency key, so its request needs no hash. */
const NO_REQUEST_HASH = Buffer.alloc(0);
const NO_BODY = Buffer.alloc(0);
const MAX_BODY_BYTES = 6 * 1024 * 1024;
/** A body of more bytes than this is parsed in slices, and the event loop serves other requests between them. */
const LONG_BODY_BYTES = 64 * 1024;

async function readBody(ctx: Context): Promise<Buffer> {
  const { headers } = ctx.req;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return NO_BODY;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new ApiError('payload_too_large', `The body must have at most ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
    if (size > LONG_BODY_BYTES) await nextTurn();
  }
  return Buffer.concat(chunks);
}

/** Parses the body exactly as the gateway did, so that both read the same value. */
async function parseBody(operation: Operation, rawBody: Buffer): Promise<unknown> {
  const parsed = await parseStrictJson(rawBody, bodyBounds(operation));
  if (parsed.isRead && parsed.problems.length === 0) return parsed.value;
  throw new ApiError('validation_failed', `${problemMessage(parsed.problems)}.`);
}

/**
 * Returns the caller in the signed context of a request.
 *
 * @param issuers the issuers whose contexts the route accepts
 * @throws ApiError api_key_invalid without a valid context; permission_denied for the context of another issuer
 */
export function requireCaller(ctx: Context, verifier: ContextVerifier, issuers: readonly Issuer[]): Caller {
  const verified = verifier.verify(ctx.get(CONTEXT_HEADER) || undefined, ctx.get('x-request-id'));
  if (verified === null)
    throw new ApiError('api_key_invalid', 'The request must have a signed context that is valid now.');
  const { issuer, caller } = verified;
  if (!issuers.includes(issuer))
    throw new ApiError('permission_denied', `Only requests of ${issuers.join(' and ')} can use this route.`);
  return caller;
}

function queryOf(ctx: Context): QueryParameters {
  const read = readQueryParameters(ctx.querystring);
  if (read.ok) return read.value;
  throw new ApiError('validation_failed', `${problemMessage(read.problems)}.`);
}

function send(ctx: Context, result: HandlerResponse): void {
  ctx.status = result.status;
  if ('stream' in result) {
    ctx.type = result.mediaType;
    ctx.body = result.stream;
    onResponseEnd(ctx.res, () => result.stream.destroy());
    return;
  }
  ctx.type = 'application/json; charset=utf-8';
  if ('text' in result) {
    if (result.replayed) ctx.set('Idempotent-Replayed', 'true');
    ctx.body = result.text;
  } else {
    ctx.body = computeAtCost(() => JSON.stringify(result.body));
  }
}

/** Executes a request of the caller at the time of the project, measures its cost, and sends the result. */
async function execute(
  ctx: Context,
  caller: Caller,
  { atProjectTime }: Pick<ServiceServerOptions, 'atProjectTime'>,
  work: () => Promise<HandlerResponse>,
): Promise<void> {
  const cost = new RequestCost(caller.tenant);
  ctx.state.cost = cost;
  const idScope = ctx.get(ID_SCOPE_HEADER) || null;
  await measureCost(cost, async () =>
    send(ctx, await (atProjectTime === undefined ? work() : atProjectTime(caller.tenant, work, idScope))),
  );
}

function register<Id extends OperationId>(
  router: Router,
  operation: Operation & { id: Id },
  handler: Handler<Id>,
  options: ServiceServerOptions,
  verifier: ContextVerifier,
): void {
  const path = expandPath(operation.path, (name) => `:${name}`);
  router.register(`/v1${path}`, [operation.method], async (ctx: Context) => {
    ctx.state.operation = operation.id;
    const caller = requireCaller(ctx, verifier, ISSUERS_OF_OPERATIONS);
    await execute(ctx, caller, options, async () => {
      const isUpload = operation.upload !== undefined;
      const rawBody = isUpload ? NO_BODY : await readBody(ctx);
      const body = rawBody.length === 0 ? null : await parseBody(operation, rawBody);
      const key = ctx.get('idempotency-key');
      const call = {
        operation: operation.id,
        caller,
        params: ctx.params,
        query: queryOf(ctx),
        body,
        rawBody,
        headers: ctx.headers,
        ...(isUpload ? { upload: uploadOf(ctx.req) } : {}),
        idempotencyKey: key === '' || operation.idempotencyKey === 'ignored' ? null : key,
        requestHash:
          operation.method === 'GET'
            ? NO_REQUEST_HASH
            : await requestHash(ctx.path, body, options.hashSecret),
        replayStatus: operation.replayStatus,
      };
      return handler(call as unknown as Call<Id>);
    });
  });
}

/** Registers a route that the contract does not have. @param issuers the issuers whose contexts the route accepts */
function registerInternal(
  router: Router,
  path: string,
  { method, handle }: OperatorRoute,
  options: ServiceServerOptions,
  verifier: ContextVerifier,
  issuers: readonly Issuer[],
): void {
  router.register(path, [method], async (ctx: Context) => {
    const caller = requireCaller(ctx, verifier, issuers);
    await execute(ctx, caller, options, async () => {
      const raw = await readBody(ctx);
      const body: unknown = raw.length === 0 ? null : JSON.parse(raw.toString('utf8'));
      return { status: 200, body: (await handle(caller, ctx.params, body)) ?? null };
    });
  });
}

function describeRequest(ctx: Context): ServedRequest {
  return { operation: ctx.state.operation, requestId: ctx.get('x-request-id') };
}

/** Makes the service's Koa application; {@link startHttpServer} serves it. */
export function createServiceApp(options: ServiceServerOptions): Koa {
  const app = new Koa();
  const router = new Router();
  const metrics = new HttpMetrics(options.service);
  const verifier = new ContextVerifier(options.service, options.contextKeys, options.log);
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/health/ready', async (ctx) => {
    await options.ready();
    ctx.body = { status: 'ready' };
  });
  router.get('/metrics', async (ctx) => {
    ctx.type = metrics.contentType;
    ctx.body = await metrics.text();
  });
  for (const operation of operationList) {
    const handler = options.handlers[operation.id];
    if (handler !== undefined && operation.service === options.service) {
      register(router, operation, handler as Handler<OperationId>, options, verifier);
    }
  }
  for (const route of options.internal ?? []) {
    registerInternal(router, `/internal${route.path}`, route, options, verifier, [route.caller]);
  }
  for (const route of options.operator ?? []) {
    registerInternal(router, `/operator${route.path}`, route, options, verifier, ISSUERS_OF_OPERATOR_ROUTES);
  }
  if (isTracing()) app.use(traceRequests(false, describeRequest));
  app.use(async (ctx, next) => {
    const startedMs = performance.now();
    try {
      checkRequestHead(ctx);
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        // This process does not know the operation: during a rolling update, a newer gateway can forward a request for an operation that
        // only newer releases have. The client can retry the request later.
        throw new ApiError(
          'service_unavailable',
          'This operation is not available yet: retry the request later.',
          60,
        );
      }
    } catch (error) {
      const response = errorResponse(error);
      if (response.isUnexpected)
        options.log.error(
          {
            err: error,
            request_id: ctx.get('x-request-id'),
            trace_id: activeTraceId(),
            operation: ctx.state.operation,
          },
          'internal error',
        );
      ctx.status = response.status;
      ctx.set(response.headers);
      if (error instanceof TooEarly) ctx.set(WAIT_HEADER, String(Math.ceil(error.waitMs)));
      ctx.type = 'application/json; charset=utf-8';
      ctx.body = JSON.stringify(response.body);
    }
    const { cost } = ctx.state as { readonly cost?: RequestCost };
    if (cost !== undefined) ctx.set(COST_HEADER, cost.toHeader());
    metrics.observe(String(ctx.state.operation ?? 'none'), ctx.status, performance.now() - startedMs);
  });
  app.use(router.routes());
  app.on('error', (error: unknown) => options.log.warn({ err: error }, 'connection error'));
  return app;
}

const HTTP_LIMITS = {
  keepAliveTimeout: CONNECTION_LIMITS.idleMs,
  requestTimeout: 30_000,
  /** Maximum size of a request head in bytes: the largest head that the gateway accepts, plus the signed context. */
  maxHeaderSize: 64 * 1024,
};

/**
 * Serves the application; port 0 chooses a free port. `close` waits for requests in progress.
 *
 * @param drainMs how many milliseconds a stopping server still accepts requests
 */
export async function startHttpServer(
  app: Koa,
  host: string,
  port: number,
  drainMs = 0,
): Promise<{ port: number; close(): Promise<void> }> {
  const server: Server = boundConnections(keepHeaderLines(createServer(HTTP_LIMITS, app.callback())));
  const stop = new GracefulStop(drainMs);
  server.prependListener('request', stop.onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await stop.drain();
      await stop.close(server);
    },
  };
}

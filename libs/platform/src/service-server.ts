/**
 * The HTTP server of a service: the operations that the contract gives it, behind the gateway's signed context. Services
 * listen where outsiders can't reach, and trust what the gateway validated; their own rules they check themselves.
 *
 * Failure policy: an ApiError is answered as the contract says; a database or engine that is away is 503 with Retry-After;
 * anything else is 500, logged in full and told in one sentence.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  bodyBounds,
  type Operation,
  type OperationId,
  type OperationInput,
  operationList,
  problemMessage,
} from '@carecover/contract';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { ApiError } from './api-error';
import { requestHash } from './canonical';
import { closeServer } from './close-server';
import type { Reply, WriteRequest } from './commands';
import { boundConnections, CONNECTION_LIMITS } from './connection-deadlines';
import { CONTEXT_HEADER, serviceAuthority, verifyContext } from './context';
import { errorAnswer } from './error-answer';
import type { Log } from './log';
import { HttpMetrics } from './metrics';
import { nextTurn } from './next-turn';
import { parseStrictJson } from './strict-json';
import type { Caller } from './tenant';
import { type AnsweredRequest, requestSpans } from './tracing/http';
import { activeTraceId, isTracing } from './tracing/spans';

/** One validated request of an operation. */
export interface Call<Id extends OperationId> extends WriteRequest {
  readonly operation: Id;
  readonly caller: Caller;
  readonly params: OperationInput<Id>['params'];
  readonly query: OperationInput<Id>['query'];
  readonly body: OperationInput<Id>['body'];
  /** The exact bytes received, for digests. */
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What a replay answers: 200 where the contract says so, else the first status. */
  readonly replayStatus: number;
}

/** What a handler gives back: a status with a body, or a reply whose text is already made. */
export type HandlerResult = Reply | { readonly status: number; readonly body: unknown };
export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<HandlerResult>;
export type Handlers = { readonly [Id in OperationId]?: Handler<Id> };

/** A route between services, below `/internal`: idempotent, and called with a service's own signed context. */
export interface InternalRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The one service that may call it; a client's context is rejected. */
  readonly caller: string;
  readonly handle: (caller: Caller, params: Record<string, string>, body: unknown) => Promise<unknown>;
}

export interface ServiceServerOptions {
  readonly service: string;
  readonly handlers: Handlers;
  readonly internal?: readonly InternalRoute[];
  readonly contextSecret: string;
  readonly hashSecret: string;
  readonly log: Log;
  /** Whether the service can do its work now: its database answers, its worker runs. @throws where it can't */
  readonly ready: () => Promise<void>;
}

/** A read has no key, and so no hash by which a retry is known. */
const NOTHING_TO_REPEAT = Buffer.alloc(0);
const NO_BODY = Buffer.alloc(0);
const MAX_BODY_BYTES = 6 * 1024 * 1024;
/** From there on a body is read in slices. */
const LONG_BODY_BYTES = 64 * 1024;

async function readBody(ctx: Context): Promise<Buffer> {
  const { headers } = ctx.req;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return NO_BODY;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new ApiError('payload_too_large', 'The body is too large.');
    chunks.push(chunk);
    if (size > LONG_BODY_BYTES) await nextTurn();
  }
  return Buffer.concat(chunks);
}

/** As the gateway did: a long body costs no more here, and is read to the same value. */
async function parseBody(operation: Operation, rawBody: Buffer): Promise<unknown> {
  const parsed = await parseStrictJson(rawBody, bodyBounds(operation));
  if (parsed.isRead && parsed.problems.length === 0) return parsed.value;
  throw new ApiError('validation_failed', `${problemMessage(parsed.problems)}.`);
}

function requireCaller(ctx: Context, secret: string): Caller {
  const header = ctx.get(CONTEXT_HEADER);
  const caller = verifyContext(header === '' ? undefined : header, secret);
  if (caller === null)
    throw new ApiError('api_key_invalid', 'This request did not come through the gateway.');
  return caller;
}

function send(ctx: Context, result: HandlerResult): void {
  ctx.status = result.status;
  ctx.type = 'application/json; charset=utf-8';
  if ('text' in result) {
    if (result.replayed) ctx.set('Idempotent-Replayed', 'true');
    ctx.body = result.text;
  } else {
    ctx.body = JSON.stringify(result.body);
  }
}

function register<Id extends OperationId>(
  router: Router,
  operation: Operation & { id: Id },
  handler: Handler<Id>,
  options: ServiceServerOptions,
): void {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  router.register(`/v1${path}`, [operation.method], async (ctx: Context) => {
    ctx.state.operation = operation.id;
    const caller = requireCaller(ctx, options.contextSecret);
    const rawBody = await readBody(ctx);
    const body = rawBody.length === 0 ? null : await parseBody(operation, rawBody);
    const key = ctx.get('idempotency-key');
    const call = {
      operation: operation.id,
      caller,
      params: ctx.params,
      query: ctx.query,
      body,
      rawBody,
      headers: ctx.headers,
      idempotencyKey: key === '' || operation.idempotencyKey === 'ignored' ? null : key,
      requestHash:
        operation.method === 'GET'
          ? NOTHING_TO_REPEAT
          : await requestHash(ctx.path, body, options.hashSecret),
      replayStatus: operation.replayStatus,
    };
    send(ctx, await handler(call as unknown as Call<Id>));
  });
}

function describeRequest(ctx: Context): AnsweredRequest {
  return { operation: ctx.state.operation, requestId: ctx.get('x-request-id') };
}

/** The service's Koa application; see {@link listen}. */
export function createServiceApp(options: ServiceServerOptions): Koa {
  const app = new Koa();
  const router = new Router();
  const metrics = new HttpMetrics(options.service);
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
      register(router, operation, handler as Handler<OperationId>, options);
    }
  }
  for (const route of options.internal ?? []) {
    router.register(`/internal${route.path}`, [route.method], async (ctx: Context) => {
      const caller = requireCaller(ctx, options.contextSecret);
      if (caller.authority !== serviceAuthority(route.caller))
        throw new ApiError('permission_denied', `Only the ${route.caller} service may call this.`);
      const raw = await readBody(ctx);
      const answer = await route.handle(
        caller,
        ctx.params,
        raw.length === 0 ? null : JSON.parse(raw.toString('utf8')),
      );
      send(ctx, { status: 200, body: answer ?? null });
    });
  }
  if (isTracing()) app.use(requestSpans(false, describeRequest));
  app.use(async (ctx, next) => {
    const startedMs = performance.now();
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        // While a release is being rolled out, a newer gateway knows operations that this process does not.
        throw new ApiError('service_unavailable', 'This operation is not served here yet.', 60);
      }
    } catch (error) {
      const answer = errorAnswer(error);
      if (answer.fault)
        options.log.error(
          {
            err: error,
            request_id: ctx.get('x-request-id'),
            trace_id: activeTraceId(),
            operation: ctx.state.operation,
          },
          'fault',
        );
      ctx.status = answer.status;
      ctx.set(answer.headers);
      ctx.type = 'application/json; charset=utf-8';
      ctx.body = JSON.stringify(answer.body);
    }
    metrics.observe(String(ctx.state.operation ?? 'none'), ctx.status, performance.now() - startedMs);
  });
  app.use(router.routes());
  app.on('error', (error: unknown) => options.log.warn({ err: error }, 'connection error'));
  return app;
}

const HTTP_LIMITS = {
  keepAliveTimeout: CONNECTION_LIMITS.idleMs,
  requestTimeout: 30_000,
  /** All that the gateway lets in, and the context that it adds. */
  maxHeaderSize: 64 * 1024,
};

/** Listens; `close` lets requests in flight finish. */
export async function listen(
  app: Koa,
  host: string,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const server: Server = boundConnections(createServer(HTTP_LIMITS, app.callback()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closeServer(server),
  };
}

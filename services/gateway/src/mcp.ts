/**
 * The MCP endpoint (`POST /v1/mcp`): tools for agents. A request has the same credential, limits and origins as a request to the API. Each
 * operation of a tool then passes the checks of its HTTP request in this process: scope, processor time, schema, permit. So a tool can do
 * nothing that its credential can't do over HTTP.
 *
 * Failure policy: closed. 401, 403, 413, 415, 429 and 503 remain HTTP errors, with a JSON-RPC error as their body, because clients show
 * nothing of another body. `server/discover` needs no credential and no other service: a client that gets 429 or 503 as its first response
 * takes the server for one of an older revision.
 */
import {
  alternativesOf,
  type ErrorCode,
  type Operation,
  type OperationId,
  operations,
} from '@carecover/contract';
import { ApiError, unavailable } from '@carecover/domain';
import { type ClientAddress, errorResponse, onResponseEnd, requireMethod } from '@carecover/http';
import {
  areGranted,
  type ConfirmedWrites,
  createAppReader,
  createMcpEndpoint,
  DISCOVER,
  errorMessage,
  HEADER_MISMATCH,
  idOf,
  isOfTool,
  LAST_START_MS,
  type McpCaller,
  MESSAGE_BYTES,
  METHOD_NOT_FOUND,
  type Message,
  type OperationRequest,
  type OperationResponse,
  protocolHeaders,
  readPages,
  readRequest,
  targetOf,
} from '@carecover/mcp';
import { type HttpMetrics, type Log, SpanKind, withSpan } from '@carecover/telemetry';
import type { Next } from 'koa';
import type { AddressRateLimiter } from './address-rate-limiter';
import { rejectOverLimit } from './admission';
import { isPreflight } from './cross-origin';
import { linkDocs, requestService, senderOf } from './forward';
import { challenge, MCP_PATH } from './mcp-resource';
import type { Hold } from './memory-budget';
import { readBody } from './request-body';
import { admissionOf, type GatewayContext } from './request-state';
import { type RouteOptions, runChecked } from './routes';
import type { Admission } from './store/admissions';

const DISCOVER_BYTES = 8 * 1024;
/** How long the body of a request that is rejected may take to arrive, to learn the ID of its message. */
const REJECTED_ARRIVAL_MS = 2_000;
/** Who uses the memory budget for requests without a credential. */
const NO_PROJECT = 'mcp without a credential';

/** The version of the API, as in its base path. */
const API_VERSION = 'v1';

export interface McpDoorOptions extends RouteOptions {
  /** The origin of the console; null if it is not known. */
  readonly consoleUrl: string | null;
  readonly log: Log;
  readonly metrics: HttpMetrics;
}

/** Sends an error of the protocol. */
function sendError(
  ctx: GatewayContext,
  status: number,
  id: Message['id'],
  code: number,
  message: string,
): void {
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(errorMessage(id, code, message));
}

/** Makes HTTP errors of a request JSON-RPC errors. Their code is the HTTP status, because the API's codes are texts. */
function formatErrors(ctx: GatewayContext, id: Message['id']): void {
  ctx.state.formatError = ({ error }, status) =>
    errorMessage(id, status, `${error.code}: ${error.message}`, error);
}

/** Reads the message of a request. Sends the error and returns null if the body is no JSON-RPC request. @throws ApiError of the body */
async function readMessage(ctx: GatewayContext, limitBytes: number, hold: Hold): Promise<Message | null> {
  const message = await readRequest(await readBody(ctx.req, limitBytes, hold));
  if ('problem' in message) {
    sendError(ctx, 400, message.id, message.code, message.problem);
    return null;
  }
  formatErrors(ctx, message.id);
  return message;
}

/** Reads the ID of the message of a request that was rejected before its body was read. */
async function findRejectedId(ctx: GatewayContext, hold: Hold): Promise<Message['id']> {
  try {
    const bytes = await readBody(ctx.req, MESSAGE_BYTES, hold, { arrivalLimitMs: REJECTED_ARRIVAL_MS });
    return bytes === null ? null : idOf(JSON.parse(bytes.toString('utf8')));
  } catch {
    // The body has an error of its own. The response says why the request was rejected, without an ID.
    return null;
  }
}

/** Whether clients retry after the error, so that its ID is worth reading: clients show an error only with the ID of their request. */
function isRetried(status: number): boolean {
  return status === 429 || status === 503;
}

/** Returns what the tools of an admitted request need to ask a person. */
function confirmedWrites(
  { tenant, keyId, tokenId }: Admission,
  { signer, consoleUrl }: McpDoorOptions,
): ConfirmedWrites {
  return {
    holder: `${tenant} ${keyId} ${tokenId ?? ''}`,
    consolePage: (path) => `${consoleUrl?.replace(/\/$/, '') ?? ''}/projects/${tenant}${path}`,
    sign: (text) => signer.signConfirmation(text),
    isSigned: (text, signature) => signer.isConfirmation(text, signature),
  };
}

/** Executes the operations of one request's tool, one at a time. */
class ToolCalls implements McpCaller {
  readonly scopes: readonly string[];
  readonly writes: ConfirmedWrites | null;
  /** The error for which the whole request must fail. */
  failure: unknown = null;
  private count = 0;
  private readonly lastStartMs = performance.now() + LAST_START_MS;

  constructor(
    private readonly ctx: GatewayContext,
    private readonly signal: AbortSignal,
    private readonly options: McpDoorOptions,
  ) {
    const admission = admissionOf(ctx);
    this.scopes = admission.scopes;
    this.writes = admission.agentWrites === 'off' ? null : confirmedWrites(admission, options);
  }

  async call(id: OperationId, request: OperationRequest): Promise<OperationResponse> {
    const startedMs = performance.now();
    let status = 503;
    try {
      if (this.signal.aborted) throw unavailable('The client');
      if (startedMs > this.lastStartMs) throw unavailable('Time for further operations of the tool');
      const response = await this.execute(operations[id], request);
      ({ status } = response);
      return response;
    } catch (error) {
      const rejection = errorResponse(error, this.ctx.state.origin);
      ({ status } = rejection);
      if (isOfTool(status)) return { status, body: rejection.body };
      this.failure ??= error;
      throw error;
    } finally {
      this.record(id, status, performance.now() - startedMs);
    }
  }

  private async execute(operation: Operation, request: OperationRequest): Promise<OperationResponse> {
    const { ctx, options } = this;
    // The HTTP request was counted for its first operation.
    if (this.count++ > 0) await ctx.state.countAnother?.();
    const { params, query, body, idempotencyKey, file } = request;
    const source = {
      caller: admissionOf(ctx),
      queryString: new URLSearchParams(query).toString(),
      headers: {
        ...(idempotencyKey !== undefined && { 'idempotency-key': [idempotencyKey] }),
        ...(file !== undefined && {
          'content-type': [file.mediaType],
          'content-length': [String(file.content.length)],
        }),
      },
      readBody: async () => (body === undefined ? null : Buffer.from(JSON.stringify(body))),
    };
    const response = await runChecked(source, operation, params, ctx.res, options, (checked, turn) => {
      // The file of a tool is in memory, so that it can be sent again as another body can.
      const sent = file === undefined ? checked : { ...checked, rawBody: file.content };
      return requestService(senderOf(ctx), operation, sent, turn, options);
    });
    const { status, headers } = response;
    const text = response.body.toString('utf8');
    if (status < 400) return { status, body: JSON.parse(text) };
    const failed: { error: { code: ErrorCode; message: string } } = JSON.parse(
      linkDocs(text, ctx.state.origin),
    );
    if (isOfTool(status)) return { status, body: failed };
    throw new ApiError(failed.error.code, failed.error.message, Number(headers['retry-after'] ?? 1));
  }

  /** Counts and logs the operation as its HTTP request would be. */
  private record(operation: OperationId, status: number, durationMs: number): void {
    const { ctx, options } = this;
    const { requestId } = ctx.state;
    const { keyId, tokenId } = admissionOf(ctx);
    options.metrics.observe(operation, status, durationMs);
    options.log.info({
      request_id: requestId,
      operation,
      status,
      duration_ms: Math.round(durationMs),
      key_id: keyId,
      token_id: tokenId ?? undefined,
      door: 'mcp',
    });
  }
}

/** Creates the three middleware functions of the MCP endpoint. Requests to other paths pass through them. */
export function createMcpDoor(options: McpDoorOptions) {
  const { checks, log } = options;
  const endpoint = createMcpEndpoint({
    version: API_VERSION,
    pages: readPages(),
    readApp: createAppReader(),
    onError: (error) => log.warn({ err: error }, 'an MCP request failed'),
  });

  async function answer(ctx: GatewayContext, message: Message, calls: ToolCalls | null, signal: AbortSignal) {
    const response = await endpoint({
      url: ctx.state.origin + MCP_PATH,
      headers: protocolHeaders(ctx.headers),
      body: message.body,
      caller: calls,
      signal,
    });
    const body = Buffer.from(await response.arrayBuffer());
    if (calls?.failure != null) throw calls.failure;
    ctx.status = response.status;
    const type = response.headers.get('content-type');
    if (type !== null) ctx.type = type;
    ctx.body = body;
  }

  return {
    /** Rejects other methods, and gives errors the form of the protocol. */
    frame: async (ctx: GatewayContext, next: Next): Promise<void> => {
      if (ctx.path !== MCP_PATH) return next();
      ctx.state.name = 'mcp';
      formatErrors(ctx, null);
      const hold = checks.startHold(NO_PROJECT);
      try {
        await next();
      } catch (error) {
        const { status, body } = errorResponse(error);
        if (status === 401)
          challenge(ctx, body.error.code === 'api_key_missing' ? 'invalid_request' : 'invalid_token', []);
        if (isRetried(status) && !ctx.req.readableEnded) formatErrors(ctx, await findRejectedId(ctx, hold));
        throw error;
      } finally {
        hold.release();
      }
    },

    /** Answers `server/discover` of clients outside browsers before the credential is checked. */
    discover:
      (addresses: ClientAddress, requests: AddressRateLimiter) =>
      async (ctx: GatewayContext, next: Next): Promise<void> => {
        if (ctx.path !== MCP_PATH) return next();
        if (!isPreflight(ctx)) requireMethod(ctx, 'POST');
        if (ctx.get('mcp-method') !== DISCOVER || ctx.get('origin') !== '') return next();
        const address = addresses.addressOf(ctx.req);
        const nowMs = Date.now();
        if (requests.isLimited(address, null, nowMs)) rejectOverLimit(ctx, requests, nowMs);
        requests.recordFailure(address, null, nowMs);
        const hold = checks.startHold(NO_PROJECT);
        try {
          const message = await readMessage(ctx, DISCOVER_BYTES, hold);
          if (message === null) return;
          if (message.method !== DISCOVER) {
            const mismatch = 'The header Mcp-Method and the method of the message differ.';
            sendError(ctx, 400, message.id, HEADER_MISMATCH, mismatch);
            return;
          }
          await answer(ctx, message, null, AbortSignal.timeout(REJECTED_ARRIVAL_MS));
        } finally {
          hold.release();
        }
      },

    /** Answers an admitted request. */
    serve: async (ctx: GatewayContext, next: Next): Promise<void> => {
      if (ctx.path !== MCP_PATH) return next();
      requireMethod(ctx, 'POST');
      const admission = admissionOf(ctx);
      const hold = checks.startHold(admission.tenant);
      try {
        const message = await readMessage(ctx, MESSAGE_BYTES, hold);
        if (message === null) return;
        // No resource can be subscribed to, and the package would keep the stream open.
        if (message.method === 'subscriptions/listen') {
          sendError(ctx, 404, message.id, METHOD_NOT_FOUND, 'This server has no subscriptions.');
          return;
        }
        const target = targetOf(message.method, message.params);
        if (target !== undefined && !areGranted(target.scopes, admission.scopes)) {
          const { scopes: required } = target;
          challenge(ctx, 'insufficient_scope', required);
          throw new ApiError(
            'permission_denied',
            `${target.name} requires the scopes ${required.map((scope) => alternativesOf(scope).join(' or ')).join(', ')}.`,
          );
        }
        const left = new AbortController();
        onResponseEnd(ctx.res, () => left.abort());
        const calls = new ToolCalls(ctx, left.signal, options);
        await withSpan(target === undefined ? 'mcp' : `mcp ${target.name}`, SpanKind.INTERNAL, () =>
          answer(ctx, message, calls, left.signal),
        );
      } finally {
        hold.release();
      }
    },
  };
}

/**
 * The MCP endpoint (`POST /v1/mcp`): tools for agents. A request has the same credential, limits and origins as a request to the API. Each
 * operation of a tool then passes the checks of its HTTP request in this process: scope, processor time, schema, permit. So a tool can do
 * nothing that its credential can't do over HTTP.
 *
 * Failure policy: closed. 401, 403, 413, 415, 429 and 503 remain HTTP errors, with a JSON-RPC error as their body, because clients show
 * nothing of another body. `server/discover` needs no credential and no other service: a client that gets 429 or 503 as its first response
 * takes the server for one of an older revision.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readApp as readTriangle } from '@carecover/charts/assets';
import {
  alternativesOf,
  type ErrorCode,
  type Operation,
  type OperationId,
  operations,
} from '@carecover/contract';
import { DOCS, readDocsPages } from '@carecover/docs-site/pages';
import { ApiError, unavailable } from '@carecover/domain';
import { type ClientAddress, errorResponse, onResponseEnd, parseStrictJson } from '@carecover/http';
import {
  type AppName,
  type ConfirmedWrites,
  createMcpEndpoint,
  type DocumentationPage,
  isPermitted,
  type McpCaller,
  type OperationRequest,
  type OperationResponse,
  scopesOf,
  targetOf,
} from '@carecover/mcp';
import { type HttpMetrics, type Log, SpanKind, withSpan } from '@carecover/telemetry';
import { readApp as readClaimSlider } from '@carecover/two-times/assets';
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

/** A message is short: the longest is an adjudication of a hundred lines. */
const MESSAGE_BYTES = 64 * 1024;
const DISCOVER_BYTES = 8 * 1024;
/** How long the body of a request that is rejected may take to arrive, to learn the ID of its message. */
const REJECTED_ARRIVAL_MS = 2_000;
const MESSAGE_BOUNDS = { depth: 16, fields: 200, items: 1_000, values: 10_000, characters: MESSAGE_BYTES };
/**
 * No operation of a tool starts after this time. An operation takes at most 25 seconds, so a client, which waits at least 60, gets a response.
 */
const LAST_START_MS = 20_000;
const DISCOVER = 'server/discover';
/** Who uses the memory budget for requests without a credential. */
const NO_PROJECT = 'mcp without a credential';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const HEADER_MISMATCH = -32_020;

/** The parts of a JSON-RPC message that this endpoint reads. The package checks the others. */
interface Message {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const APPS: Readonly<Record<AppName, () => string>> = {
  'claim-slider': readClaimSlider,
  triangle: readTriangle,
};

/** Creates the function that returns the page of an app. It is read once, when the first client requests it. */
function createAppReader(): (name: AppName) => string {
  const pages = new Map<AppName, string>();
  return (name) => {
    const html = pages.get(name) ?? APPS[name]();
    pages.set(name, html);
    return html;
  };
}

/** The version of the API, as in its base path. */
const API_VERSION = 'v1';

/** The site draws this page in the browser; its source says nothing. */
const DRAWN_PAGE = 'guides/reference.md';

/** Reads the guides and the glossary. An installation without the documentation's sources has none of these resources. */
function readPages(): DocumentationPage[] {
  if (!existsSync(DOCS)) return [];
  return readDocsPages()
    .filter(({ file }) => (file.startsWith('guides/') && file !== DRAWN_PAGE) || file === 'glossary.md')
    .map(({ file, title }) => {
      const text = readFileSync(join(DOCS, file), 'utf8');
      return { path: file.replace(/\.md$/, ''), title, text };
    });
}

export interface McpDoorOptions extends RouteOptions {
  /** The origin of the console; null if it is not known. */
  readonly consoleUrl: string | null;
  readonly log: Log;
  readonly metrics: HttpMetrics;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idOf(body: unknown): string | number | null {
  const id = isFields(body) ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function errorMessage(id: string | number | null, code: number, message: string, data?: unknown) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
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
  const bytes = await readBody(ctx.req, limitBytes, hold);
  const parsed = bytes === null ? null : await parseStrictJson(bytes, MESSAGE_BOUNDS);
  if (parsed === null || !parsed.isRead || parsed.problems.length > 0) {
    const [problem] = parsed?.problems ?? [];
    const reason = problem === undefined ? 'there is none' : `${problem.pointer} ${problem.message}`.trim();
    sendError(ctx, 400, null, PARSE_ERROR, `The body must be one JSON-RPC message: ${reason}.`);
    return null;
  }
  const body = parsed.value;
  const id = idOf(body);
  formatErrors(ctx, id);
  if (!isFields(body) || typeof body.method !== 'string') {
    sendError(
      ctx,
      400,
      id,
      INVALID_REQUEST,
      'The body must be one JSON-RPC request, not a batch or a response.',
    );
    return null;
  }
  const params = isFields(body.params) ? body.params : {};
  return { id, method: body.method, params, body };
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

/** @throws ApiError method_not_allowed */
function requirePost(ctx: GatewayContext): void {
  if (ctx.method === 'POST') return;
  ctx.set('Allow', 'POST');
  throw new ApiError('method_not_allowed', `This path does not support the method ${ctx.method}.`);
}

/** Whether clients retry after the error, so that its ID is worth reading: clients show an error only with the ID of their request. */
function isRetried(status: number): boolean {
  return status === 429 || status === 503;
}

function headersOf({ headers }: GatewayContext): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const isOfProtocol = name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
    if (isOfProtocol && typeof value === 'string') passed.set(name, value);
  }
  return passed;
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
    const { params, query, body, idempotencyKey } = request;
    const source = {
      caller: admissionOf(ctx),
      queryString: new URLSearchParams(query).toString(),
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': [idempotencyKey] },
      readBody: async () => (body === undefined ? null : Buffer.from(JSON.stringify(body))),
    };
    const response = await runChecked(source, operation, params, ctx.res, options, (checked, turn) =>
      requestService(senderOf(ctx), operation, checked, turn, options),
    );
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

/** Whether the model that called the tool can correct the error. */
function isOfTool(status: number): boolean {
  return status === 400 || status === 404 || status === 409 || status === 422;
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
      headers: headersOf(ctx),
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
        if (!isPreflight(ctx)) requirePost(ctx);
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
      requirePost(ctx);
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
        if (target !== undefined && !isPermitted(target, admission.scopes)) {
          const required = scopesOf(target);
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

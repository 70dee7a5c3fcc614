/**
 * The MCP endpoint of the console (`POST /mcp`): the tools of the API for persons. The credential is an access token that the identity provider
 * has issued for this endpoint. The person's roles decide which tools there are, and each call names its project.
 *
 * Failure policy: closed. A cookie of the console never counts here. A write is recorded in the audit log before it is executed. 401, 403,
 * 413, 415, 429 and 503 remain HTTP errors, with a JSON-RPC error as their body.
 */
import { createHash } from 'node:crypto';
import { type BulkJobKind, errorStatus, type OperationId, operations } from '@carecover/contract';
import { ApiError, unavailable } from '@carecover/domain';
import {
  type ClientAddress,
  type ContextSigner,
  checkRequestHead,
  errorResponse,
  onResponseEnd,
  requireMethod,
} from '@carecover/http';
import {
  type ConfirmedWrites,
  createAppReader,
  createMcpEndpoint,
  DISCOVER,
  errorMessage,
  HEADER_MISMATCH,
  isOfTool,
  LAST_START_MS,
  type McpCaller,
  MESSAGE_BYTES,
  METHOD_NOT_FOUND,
  type Message,
  type OperationRequest,
  type OperationResponse,
  type PersonCaller,
  protocolHeaders,
  readPages,
  readRequest,
  ToolError,
} from '@carecover/mcp';
import { type HttpMetrics, type Log, MinuteLimiter } from '@carecover/telemetry';
import type { Context, Next } from 'koa';
import { AccessTokens } from './access-tokens';
import type { PersonsCalls, Project } from './operations';
import { canChange } from './pages/bulk-kinds';
import { type Person, personOf } from './person';
import { readBody } from './request-body';
import { type Permission, permits, type Role } from './roles';
import type { SignIn } from './sign-in';

const MCP_PATH = '/mcp';
const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;
const VERSION = 'v1';
const JSON_TYPE = 'application/json';
/** Requests without a valid token, and of `server/discover`, per network of clients. */
const REQUESTS_WITHOUT_TOKEN_PER_MINUTE = 300;
/** The scopes that a client requests from the identity provider: the token needs the claim with the roles. */
const PROVIDER_SCOPES = ['openid', 'profile'];
const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** An operation that changes something: who may execute it, and its entry in the audit log. */
interface Write {
  readonly permission: Permission;
  /** The action of the audit log: the same as that of the console's page. */
  readonly action: string;
  /** The parameter or field whose value is the entry's subject; null: the project is. */
  readonly subject: string | null;
}

/** The writes that persons can execute by an agent. Every other one belongs to integrators. */
const WRITES: Readonly<Partial<Record<OperationId, Write>>> = {
  adjudicateClaim: { permission: 'adjudicate', action: 'claim.adjudicate', subject: 'claim_id' },
  requestClaimInformation: {
    permission: 'adjudicate',
    action: 'claim.request_information',
    subject: 'claim_id',
  },
  decidePreauthorization: {
    permission: 'adjudicate',
    action: 'preauthorization.decide',
    subject: 'preauthorization_id',
  },
  createSettlement: { permission: 'money', action: 'settlement.create', subject: 'remittance_id' },
  // The kind of the job can require another permission too: see canChange.
  createBulkJob: { permission: 'adjudicate', action: 'bulk_job.create', subject: null },
  createValuationRun: { permission: 'money', action: 'valuation_run.create', subject: null },
  redeliverEvent: { permission: 'webhooks', action: 'webhook.redeliver', subject: 'event_id' },
};

/** The fields of a body that an entry in the audit log contains. */
const RECORDED = [
  'outcome',
  'policy_reference',
  'reason_codes',
  'source_reference',
  'amount',
  'currency',
  'valuation_at',
  'kind',
  'dry_run',
  'sha256',
] as const;

function isPermitted(roles: readonly Role[], id: OperationId): boolean {
  if (operations[id].method === 'GET') return permits(roles, 'read');
  const write = WRITES[id];
  return write !== undefined && permits(roles, write.permission);
}

/** Returns what the audit log records of a write. */
function describeWrite(
  { action, subject }: Write,
  project: Project,
  { params, query, body, file }: OperationRequest,
) {
  const given: Readonly<Record<string, unknown>> = {
    ...(body as object | undefined),
    ...params,
    ...(file !== undefined && { ...query, sha256: createHash('sha256').update(file.content).digest('hex') }),
  };
  const recorded = RECORDED.filter((name) => given[name] !== undefined).map((name) => {
    const value = given[name];
    return [name, Array.isArray(value) ? value.join(' ') : value];
  });
  return {
    action,
    subject: subject === null ? project.id : String(given[subject]),
    details: { project_id: project.id, door: 'mcp', ...Object.fromEntries(recorded) },
  };
}

/** Returns the error of an operation that the person's roles don't permit, for the model. */
function notPermitted(what: string): OperationResponse {
  const error = { code: 'permission_denied', message: `Your roles don't permit ${what}.` };
  return { status: errorStatus(error.code as 'permission_denied'), body: { error } };
}

export interface McpDoorOptions {
  readonly signer: ContextSigner;
  readonly signIn: SignIn;
  readonly addresses: ClientAddress;
  /** The public origin of the console. */
  readonly origin: string;
  /** The claim of the token that lists the person's roles. */
  readonly rolesClaim: string;
  /** Returns the calls of a person, and counts the request. @throws ApiError rate_limited */
  readonly callsOf: (ctx: Context, person: Person) => PersonsCalls;
  readonly hsts: boolean;
  readonly metrics: HttpMetrics;
  readonly log: Log;
}

/** Executes the operations of one request's tool in a project, one at a time. */
class ProjectCalls implements McpCaller {
  readonly scopes = ['*'];
  readonly writes: ConfirmedWrites | null;

  constructor(
    private readonly person: CallingPerson,
    private readonly project: Project,
    { signer, origin }: McpDoorOptions,
  ) {
    const isOff = project.agent_writes === 'off';
    this.writes = isOff
      ? null
      : {
          holder: `${project.id} ${person.calls.person.subject}`,
          consolePage: (path) => `${origin}/projects/${project.id}${path}`,
          sign: (text) => signer.signConfirmation(text),
          isSigned: (text, signature) => signer.isConfirmation(text, signature),
        };
  }

  call(id: OperationId, request: OperationRequest): Promise<OperationResponse> {
    const { calls } = this.person;
    const { kind } = request.query;
    if (id === 'createBulkJob' && !canChange(calls.person.roles, kind as BulkJobKind))
      return Promise.resolve(notPermitted(`bulk jobs of the kind ${kind}`));
    return this.person.run(id, async () => {
      const write = WRITES[id];
      if (operations[id].method !== 'GET' && write !== undefined) {
        const { action, subject, details } = describeWrite(write, this.project, request);
        await calls.record(action, subject, { ...details, request_id: calls.requestId });
      }
      const { params, query, body, idempotencyKey, file } = request;
      if (id === 'createBulkJob' && file !== undefined) {
        const { content, mediaType } = file;
        const sent = { content, headers: { 'content-type': mediaType } };
        return calls.upload(this.project, id, { query } as object, sent, idempotencyKey);
      }
      return calls.execute(this.project, id, { params, query, body } as object, idempotencyKey);
    });
  }
}

/** The person of one request, with the error for which the whole request fails. */
class CallingPerson implements PersonCaller {
  failure: unknown = null;
  private readonly lastStartMs = performance.now() + LAST_START_MS;

  constructor(
    readonly calls: PersonsCalls,
    private readonly signal: AbortSignal,
    private readonly options: McpDoorOptions,
  ) {}

  readonly permits = (id: OperationId) => isPermitted(this.calls.person.roles, id);

  readonly projects = async (limit: number, after: string | null) => {
    const { body } = await this.run('list_projects', () => this.calls.projects(limit, after));
    return body as Awaited<ReturnType<PersonsCalls['projects']>>;
  };

  readonly inProject = async (id: string): Promise<McpCaller> => {
    const { status, body } = await this.run('get_project', () => this.calls.project(id));
    if (status >= 400) throw new ToolError('resource_not_found', 'There is no such project.');
    return new ProjectCalls(this, body as Project, this.options);
  };

  /** Executes one request to a service, and returns an error that the model can correct as a response. @throws ApiError of the whole request */
  async run(name: string, work: () => Promise<unknown>): Promise<OperationResponse> {
    const { metrics, log } = this.options;
    const startedMs = performance.now();
    let status = 503;
    try {
      if (this.signal.aborted) throw unavailable('The client');
      if (startedMs > this.lastStartMs) throw unavailable('Time for further operations of the tool');
      const body = await work();
      status = 200;
      return { status, body };
    } catch (error) {
      status = error instanceof ApiError ? errorStatus(error.code) : 500;
      if (error instanceof ApiError && isOfTool(status))
        return { status, body: { error: { code: error.code, message: error.message } } };
      this.failure ??= error;
      throw error;
    } finally {
      const durationMs = performance.now() - startedMs;
      metrics.observe(name, status, durationMs);
      const { requestId: request_id } = this.calls;
      log.info({ request_id, operation: name, status, duration_ms: Math.round(durationMs), door: 'mcp' });
    }
  }
}

/** Creates the middleware of the endpoint and its metadata. Requests to other paths pass through. */
export function createMcpDoor(options: McpDoorOptions) {
  const { signIn, addresses, origin, rolesClaim, callsOf, hsts, metrics, log } = options;
  const resource = origin + MCP_PATH;
  const tokens = new AccessTokens(resource, () => signIn.issuerMetadata());
  const withoutToken = new MinuteLimiter(REQUESTS_WITHOUT_TOKEN_PER_MINUTE);
  const endpoint = createMcpEndpoint({
    version: VERSION,
    pages: readPages(),
    readApp: createAppReader(),
    forPersons: true,
    onError: (error) => log.warn({ err: error }, 'an MCP request failed'),
  });

  function challenge(ctx: Context, error: string): void {
    const metadata = `resource_metadata="${origin}${METADATA_PATH}"`;
    const scope = `scope="${PROVIDER_SCOPES.join(' ')}"`;
    ctx.set('WWW-Authenticate', `Bearer realm="carecover", error="${error}", ${metadata}, ${scope}`);
  }

  /** Returns who sends the request. @throws ApiError api_key_missing, api_key_invalid, permission_denied, rate_limited */
  async function authenticate(ctx: Context): Promise<Person> {
    const network = addresses.addressOf(ctx.req);
    const waitSeconds = withoutToken.check(network);
    if (waitSeconds !== null) throw tooMany(waitSeconds);
    const { authorization } = ctx.req.headersDistinct;
    try {
      if (authorization === undefined)
        throw new ApiError('api_key_missing', 'An access token of the identity provider is required.');
      const [, token] = (authorization.length === 1 && BEARER.exec(authorization[0] ?? '')) || [];
      if (token === undefined) throw new ApiError('api_key_invalid', 'The token is not valid.');
      return personOf(await tokens.verify(token), rolesClaim);
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'service_unavailable') withoutToken.count(network);
      throw error;
    }
  }

  function tooMany(waitSeconds: number): ApiError {
    const reason = `Too many requests without a valid token came from this address. Try again in ${waitSeconds} seconds.`;
    return new ApiError('rate_limited', reason, waitSeconds);
  }

  function sendError(
    ctx: Context,
    id: Message['id'],
    status: number,
    code: number,
    message: string,
    data?: unknown,
  ) {
    ctx.status = status;
    ctx.type = JSON_TYPE;
    ctx.body = JSON.stringify(errorMessage(id, code, message, data));
  }

  async function answer(ctx: Context, message: Message, caller: CallingPerson | null, signal: AbortSignal) {
    const headers = protocolHeaders(ctx.headers);
    const response = await endpoint({ url: resource, headers, body: message.body, caller, signal });
    const body = Buffer.from(await response.arrayBuffer());
    if (caller?.failure != null) throw caller.failure;
    ctx.status = response.status;
    const type = response.headers.get('content-type');
    if (type !== null) ctx.type = type;
    ctx.body = body;
  }

  /** Reads the message. Sends the error and returns null if there is none. @throws ApiError unsupported_media_type, payload_too_large */
  async function readMessage(ctx: Context): Promise<Message | null> {
    if (ctx.is(JSON_TYPE) === false)
      throw new ApiError('unsupported_media_type', `The Content-Type must be ${JSON_TYPE}.`);
    const message = await readRequest(await readBody(ctx, MESSAGE_BYTES, 'The message'));
    if (!('problem' in message)) return message;
    sendError(ctx, message.id, 400, message.code, message.problem);
    return null;
  }

  async function serve(ctx: Context): Promise<void> {
    checkRequestHead(ctx);
    requireMethod(ctx, 'POST');
    const sender = ctx.get('origin');
    if (sender !== '' && sender !== origin)
      throw new ApiError('permission_denied', 'Requests of other origins are not accepted.');
    const left = new AbortController();
    onResponseEnd(ctx.res, () => left.abort());
    // Clients call this method before they have a token.
    if (ctx.get('mcp-method') === DISCOVER) {
      const waitSeconds = withoutToken.count(addresses.addressOf(ctx.req));
      if (waitSeconds !== null) throw tooMany(waitSeconds);
      const message = await readMessage(ctx);
      if (message === null) return;
      if (message.method === DISCOVER) return answer(ctx, message, null, left.signal);
      const mismatch = 'The header Mcp-Method and the method of the message differ.';
      return sendError(ctx, message.id, 400, HEADER_MISMATCH, mismatch);
    }
    const calls = callsOf(ctx, await authenticate(ctx));
    const message = await readMessage(ctx);
    if (message === null) return;
    ctx.state.messageId = message.id;
    // No resource can be subscribed to, and the package would keep the stream open.
    if (message.method === 'subscriptions/listen')
      return sendError(ctx, message.id, 404, METHOD_NOT_FOUND, 'This server has no subscriptions.');
    await answer(ctx, message, new CallingPerson(calls, left.signal, options), left.signal);
  }

  function describeResource(ctx: Context, issuer: string): void {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.type = JSON_TYPE;
    ctx.body = JSON.stringify({
      resource,
      resource_name: 'Carecover console',
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: PROVIDER_SCOPES,
    });
  }

  return async (ctx: Context, next: Next): Promise<void> => {
    // `ctx.path` would throw for a target that is no URL, which the next middleware rejects.
    const [path] = (ctx.req.url ?? '').split('?');
    const isMetadata = path === METADATA_PATH && ctx.method === 'GET';
    if (path !== MCP_PATH && !isMetadata) return next();
    const startedMs = performance.now();
    ctx.set({
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      ...(hsts ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    });
    try {
      if (isMetadata) describeResource(ctx, (await signIn.issuerMetadata()).issuer);
      else await serve(ctx);
    } catch (error) {
      const { status, headers, body, isUnexpected } = errorResponse(error);
      if (isUnexpected) log.error({ err: error, request_id: ctx.state.requestId }, 'internal error');
      if (status === 401)
        challenge(ctx, body.error.code === 'api_key_missing' ? 'invalid_request' : 'invalid_token');
      ctx.set(headers);
      const { code, message } = body.error;
      sendError(ctx, ctx.state.messageId ?? null, status, status, `${code}: ${message}`, { code, message });
    }
    metrics.observe('mcp', ctx.status, performance.now() - startedMs);
  };
}

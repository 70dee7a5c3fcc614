/**
 * The routes of the console, below `/operator` on a port of their own: projects, keys and the audit log. A route belongs here if its data
 * is in the gateway's schema and the API has no operation for it.
 *
 * Failure policy: closed. A request is rejected if it comes from outside the console's networks, or without a context that the console has
 * signed for the gateway. Every answer to such a context is signed, because the console believes no other answer.
 */

import type { IssuerKeys } from '@carecover/config';
import {
  CLOCK_YEARS,
  findUnplainText,
  isGrantedScope,
  MAX_CLOCK_WAIT_SECONDS,
  tryParseClockInstant,
  tryParseInstant,
} from '@carecover/contract';
import { ApiError, type Caller, isSimulated, notFound, storedTenant } from '@carecover/domain';
import {
  CONTEXT_HEADER,
  type ContextSigner,
  ContextVerifier,
  checkRequestHead,
  errorResponse,
  ISSUERS_OF_OPERATOR_ROUTES,
  isInNetworks,
  type Network,
  projectAuthority,
  RESPONSE_SIGNATURE_HEADER,
  requireCaller,
  requireOperator,
} from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { FailureLog, type Log } from '@carecover/telemetry';
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import type { Advances } from './clocks/advances';
import { advanceTestClock, type ClockCaller, countDueItems, getTestClock } from './clocks/operations';
import { OperatorError } from './operator-error';
import { JSON_CONTENT } from './response-envelope';
import { type AuditFilters, audited, listAudit, type Operator, type OperatorPage } from './store/audit-log';
import { createKey, findKeyOf, listKeys, revokeKey, rotateKey } from './store/keys';
import { findProject, listProjectsOf, type ProjectSettings, readNow, setProject } from './store/projects';
import { findClock, tickForChange } from './store/test-clocks';

const MAX_BODY_BYTES = 64 * 1024;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Matches every ID. No text that matches contains a character that PostgreSQL rejects. */
const ID = /^\w{1,64}$/;

/** A request of a route, after its signed context was verified. */
interface OperatorRequest {
  readonly caller: Caller;
  readonly operator: Operator;
  readonly params: Readonly<Record<string, string>>;
  readonly page: OperatorPage;
  readonly filters: AuditFilters;
  /** The body of a POST. */
  readonly input: Readonly<Record<string, unknown>>;
}

type Handle = (request: OperatorRequest) => Promise<unknown>;

export interface OperatorRoutesOptions {
  readonly sql: Sql;
  readonly contextKeys: IssuerKeys;
  readonly signer: ContextSigner;
  /** The networks from which the console connects; null: every address. */
  readonly consoleNetworks: readonly Network[] | null;
  readonly advances: Advances;
  /** Checks that the gateway can serve. @throws if it is not ready */
  readonly ready: () => Promise<void>;
  readonly log: Log;
}

/**
 * Makes the middleware that rejects requests from outside the console's networks, before anything of the request is read.
 *
 * @throws ApiError permission_denied
 */
function requireConsoleNetwork({ consoleNetworks, log }: OperatorRoutesOptions) {
  const failures = new FailureLog(log);
  return async (ctx: Context, next: Next): Promise<void> => {
    const { remoteAddress: address = '' } = ctx.req.socket;
    if (consoleNetworks !== null && !isInNetworks(address, consoleNetworks)) {
      failures.warn({ address }, "a request for an operators' route came from outside CONSOLE_NETWORKS");
      throw new ApiError('permission_denied', "Operators' routes accept requests of the console alone.");
    }
    await next();
  };
}

/** Makes the middleware that signs the answers to requests whose context is valid, also errors. */
function signAnswers(signer: ContextSigner) {
  return async (ctx: Context, next: Next): Promise<void> => {
    await next();
    if (ctx.state.isConsole !== true) return;
    const signature = signer.signResponse({
      context: ctx.get(CONTEXT_HEADER),
      requestId: ctx.get('x-request-id'),
      method: ctx.method,
      path: ctx.url,
      status: ctx.status,
      text: String(ctx.body ?? ''),
    });
    ctx.set(RESPONSE_SIGNATURE_HEADER, signature);
  };
}

/** Returns the ID in a request's path. A text that can't be an ID is treated as an unknown ID. @throws ApiError resource_not_found */
function requireId(text = ''): string {
  if (!ID.test(text)) throw notFound();
  return text;
}

/** Reads `limit` and `after` of the query; `after` must have the form of the list's IDs. */
function readPage({ query }: Context): OperatorPage {
  const limit = Math.trunc(Number(query.limit ?? DEFAULT_LIMIT)) || 1;
  const after = typeof query.after === 'string' && ID.test(query.after) ? query.after : null;
  return { limit: Math.min(Math.max(1, limit), MAX_LIMIT), after };
}

/** Reads the filters of the audit log. A text that can't be stored, or is no instant, filters nothing out. */
function readFilters({ query }: Context): AuditFilters {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' && !value.includes('\0') ? value : undefined;
  };
  const instant = (name: string) => {
    const at = tryParseInstant(text(name) ?? '');
    return at === undefined ? undefined : new Date(at);
  };
  const filters = {
    actor: text('actor'),
    action: text('action'),
    subject: text('subject'),
    since: instant('since'),
    until: instant('until'),
    withoutSignIns: query.without_sign_ins === 'true',
  };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as AuditFilters;
}

/**
 * Returns a page of rows, and whether there are more rows. Calls `read` with a limit of one row more, which shows whether there are more.
 */
async function readOneMore<T>(page: OperatorPage, read: (page: OperatorPage) => Promise<T[]>) {
  const rows = await read({ ...page, limit: page.limit + 1 });
  return { data: rows.slice(0, page.limit), has_more: rows.length > page.limit };
}

/** @throws ApiError payload_too_large; validation_failed if a text of the input can't be stored */
async function readInput(ctx: Context): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new ApiError('payload_too_large', `The body must have at most ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const input = size === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const [unplain] = findUnplainText(input);
  if (unplain !== undefined)
    throw new ApiError('validation_failed', `${unplain} must not contain NUL or half a surrogate pair.`);
  return input;
}

/** Returns a field of the input. @throws ApiError validation_failed if the field is not a text */
function requireText(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value === '')
    throw new ApiError('validation_failed', `/${name} must be text.`);
  return value;
}

/** Returns an instant of the input that a clock can show. @throws ApiError validation_failed */
function requireInstant(input: Readonly<Record<string, unknown>>, name: string): Date {
  const at = tryParseClockInstant(requireText(input, name));
  if (at === undefined)
    throw new ApiError(
      'validation_failed',
      `/${name} must be an instant in the years ${CLOCK_YEARS.min} to ${CLOCK_YEARS.max}.`,
    );
  return new Date(at);
}

/** Reads the time of a project, and the state of its clock; null if its time is real. */
async function readTime(sql: Sql, projectId: string) {
  const clock = isSimulated(projectId) ? await findClock(sql, storedTenant(projectId)) : undefined;
  if (clock === undefined) return { now: await readNow(sql, projectId), clock: null };
  const { now, status, target } = clock;
  return { now, clock: { now, status, target } };
}

/**
 * Returns a list of texts of the input; an empty list if the field is absent. @throws ApiError validation_failed if the field is not a list
 * of texts
 */
function readTexts(input: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = input[name] ?? [];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new ApiError('validation_failed', `/${name} must be a list of texts.`);
}

/** Returns the settings that the input names. The others stay as they are. @throws ApiError validation_failed */
function readSettings(input: Readonly<Record<string, unknown>>): ProjectSettings {
  const {
    rate_limit_per_minute: rateLimit,
    endpoint_limit: endpointLimit,
    consent_default: consent,
    agent_writes: writes,
    allowed_origins: origins,
    currencies,
    locale,
    time_zone: timeZone,
  } = input;
  if (consent !== undefined && consent !== 'granted' && consent !== 'withdrawn')
    throw new ApiError('validation_failed', '/consent_default must be granted or withdrawn.');
  if (writes !== undefined && writes !== 'off' && writes !== 'confirmed')
    throw new ApiError('validation_failed', '/agent_writes must be off or confirmed.');
  return {
    ...(rateLimit === undefined ? {} : { rateLimitPerMinute: Number(rateLimit) }),
    ...(endpointLimit === undefined ? {} : { endpointLimit: Number(endpointLimit) }),
    ...(consent === undefined ? {} : { consentDefault: consent }),
    ...(writes === undefined ? {} : { agentWrites: writes }),
    ...(origins === undefined ? {} : { allowedOrigins: readTexts(input, 'allowed_origins') }),
    ...(currencies === undefined ? {} : { currencies: readTexts(input, 'currencies') }),
    ...(locale === undefined ? {} : { locale: requireText(input, 'locale') }),
    ...(timeZone === undefined ? {} : { timeZone: requireText(input, 'time_zone') }),
  };
}

function createHandlers(sql: Sql, advances: Advances): Readonly<Record<string, Handle>> {
  /** Returns the project in the path. A project of the other environment is treated as unknown. @throws ApiError resource_not_found */
  async function requireProject({ params, caller }: OperatorRequest) {
    const project = await findProject(sql, requireId(params.project));
    if (project?.environment !== caller.environment) throw notFound();
    return project;
  }

  /** Returns the key in the path. A key of another project is treated as unknown. @throws ApiError resource_not_found */
  async function requireKey(request: OperatorRequest) {
    const { id } = await requireProject(request);
    const key = await findKeyOf(sql, id, requireId(request.params.key));
    if (key === undefined) throw notFound();
    return key;
  }

  /**
   * Returns the caller of the clock of the project in the path. The services accept only a project's authority of the gateway; no fact has it,
   * and the person is in the audit log. @throws ApiError resource_not_found, also for a project with real time
   */
  async function requireClockCaller(request: OperatorRequest): Promise<ClockCaller> {
    const { id } = await requireProject(request);
    if (!isSimulated(id)) throw notFound();
    const tenant = storedTenant(id);
    return { tenant, authority: projectAuthority(tenant, 'console', null) };
  }

  return {
    'GET /projects': ({ caller, page }) =>
      readOneMore(page, (longer) => listProjectsOf(sql, caller.environment, longer)),
    /** Has the project's time as well: every page of a project reads its project first, and shows what was known by then. */
    'GET /projects/:project': async (request) => {
      const project = await requireProject(request);
      return { ...project, ...(await readTime(sql, project.id)) };
    },
    'GET /projects/:project/clock': async (request) =>
      getTestClock(sql, advances, await requireClockCaller(request)),
    /** Reads by POST how many due items an advance would execute. */
    'POST /projects/:project/clock/due': async (request) => {
      const caller = await requireClockCaller(request);
      return { count: await countDueItems(sql, advances, caller, requireInstant(request.input, 'until')) };
    },
    'POST /projects/:project/clock/advances': async (request) => {
      const caller = await requireClockCaller(request);
      const to = requireInstant(request.input, 'to').toISOString();
      const body = { to, wait_seconds: MAX_CLOCK_WAIT_SECONDS };
      const { clock } = await advanceTestClock(
        sql,
        advances,
        caller,
        requireText(request.input, 'key'),
        body,
      );
      return clock;
    },
    'POST /projects/:project/settings': async (request) => {
      const { id } = await requireProject(request);
      return setProject(sql, request.operator, id, readSettings(request.input));
    },
    'GET /projects/:project/keys': async (request) => {
      const { id } = await requireProject(request);
      return readOneMore(request.page, (longer) => listKeys(sql, id, longer));
    },
    'POST /projects/:project/keys': async (request) => {
      const { id } = await requireProject(request);
      const { input, operator } = request;
      const granted = readTexts(input, 'scopes');
      if (granted.length === 0 || !granted.every(isGrantedScope))
        throw new OperatorError('A key must have at least one scope, and only known ones.');
      return createKey(sql, operator, id, granted, requireText(input, 'name'));
    },
    'GET /projects/:project/keys/:key': requireKey,
    'POST /projects/:project/keys/:key/rotations': async (request) =>
      rotateKey(sql, request.operator, (await requireKey(request)).id),
    'POST /projects/:project/keys/:key/revocations': async (request) =>
      revokeKey(sql, request.operator, (await requireKey(request)).id),
    'GET /audit_entries': ({ page, filters }) =>
      readOneMore(page, ({ limit, after }) =>
        listAudit(sql, limit, after !== null && /^\d{1,18}$/.test(after) ? after : null, filters),
      ),
    /**
     * Writes the audit entry of a change that another service commits. The console calls this route before it requests the change, so the clock
     * of a simulated project moves here: the facts of the change are later than those of the one before.
     */
    'POST /audit_entries': ({ input, operator }) =>
      audited(sql, operator, requireText(input, 'action'), async (tx) => {
        const details = (input.details ?? {}) as Record<string, unknown>;
        await tickForChange(tx, String(details.project_id ?? ''));
        return { subject: requireText(input, 'subject'), details, result: { recorded: true } };
      }),
  };
}

/** Makes the Koa application of the routes. */
export function createOperatorRoutes(options: OperatorRoutesOptions): Koa {
  const { sql, advances, contextKeys, signer, ready, log } = options;
  const router = new Router();
  const verifier = new ContextVerifier('gateway', contextKeys, log);
  router.get('/health/ready', async (ctx) => {
    await ready();
    ctx.body = { status: 'ready' };
  });
  for (const [route, handle] of Object.entries(createHandlers(sql, advances))) {
    const [method = '', path = ''] = route.split(' ');
    router.register(`/operator${path}`, [method], async (ctx: Context) => {
      const caller = requireCaller(ctx, verifier, ISSUERS_OF_OPERATOR_ROUTES);
      ctx.state.isConsole = true;
      const operator = requireOperator(caller);
      const { params } = ctx;
      const filters = readFilters(ctx);
      const input = await readInput(ctx);
      const request = { caller, operator, params, page: readPage(ctx), filters, input };
      const result = await handle(request);
      ctx.type = JSON_CONTENT;
      ctx.body = JSON.stringify(result);
    });
  }
  const app = new Koa();
  app.use(signAnswers(signer));
  app.use(async (ctx, next) => {
    try {
      checkRequestHead(ctx);
      await next();
    } catch (error) {
      // Operators may see why a change was rejected, such as that a project does not exist. So the message of an OperatorError is sent.
      const known = error instanceof OperatorError ? new ApiError('validation_failed', error.message) : error;
      const response = errorResponse(known);
      if (response.isUnexpected)
        log.error({ err: error, request_id: ctx.get('x-request-id') }, 'internal error');
      ctx.status = response.status;
      ctx.set(response.headers);
      ctx.type = JSON_CONTENT;
      ctx.body = JSON.stringify(response.body);
    }
  });
  app.use(requireConsoleNetwork(options));
  app.use(router.routes());
  app.on('error', (error: unknown) => log.warn({ err: error }, 'connection error'));
  return app;
}

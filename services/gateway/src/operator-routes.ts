/**
 * The routes of the console, below `/operator` on the private port: projects, keys and the audit log. A route belongs here if its data is
 * in the gateway's schema and the API has no operation for it.
 *
 * Failure policy: closed. A request without a signed context of an operator is rejected.
 */
import {
  ApiError,
  CONTEXT_HEADER,
  errorResponse,
  type Log,
  type Secrets,
  type Sql,
  verifyContext,
} from '@carecover/platform';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { JSON_CONTENT } from './answers';
import { OperatorError } from './operator-error';
import { audited, listAudit, type Operator } from './store/audit-log';
import { listProjects } from './store/projects';

const OPERATOR = 'operator:';
const MAX_BODY_BYTES = 64 * 1024;
const MAX_AUDIT_ENTRIES = 1_000;

/** Executes one route. `input` is the body of a POST. */
type Handle = (
  input: Readonly<Record<string, unknown>>,
  operator: Operator,
  ctx: Context,
) => Promise<unknown>;

export interface OperatorRoutesOptions {
  readonly sql: Sql;
  readonly contextSecrets: Secrets;
  readonly log: Log;
}

function requireOperator(ctx: Context, secrets: Secrets): Operator {
  const caller = verifyContext(ctx.get(CONTEXT_HEADER) || undefined, ctx.get('x-request-id'), secrets);
  if (caller === null || !caller.authority.startsWith(OPERATOR))
    throw new ApiError('permission_denied', 'The request needs the signed context of an operator.');
  return caller.authority.slice(OPERATOR.length);
}

async function readInput(ctx: Context): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new ApiError('payload_too_large', `The body must have at most ${MAX_BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return size === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Returns a field of the input. @throws ApiError validation_failed if it is no text */
function requireText(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value === '')
    throw new ApiError('validation_failed', `/${name} must be text.`);
  return value;
}

function createHandlers(sql: Sql): Readonly<Record<string, Handle>> {
  return {
    'GET /projects': async () => ({ data: await listProjects(sql) }),
    'GET /audit_entries': async (_input, _operator, ctx) => {
      const limit = Number(ctx.query.limit ?? 100);
      return { data: await listAudit(sql, Math.min(Math.max(1, limit || 1), MAX_AUDIT_ENTRIES)) };
    },
    /** Records a change that another service commits. The console calls it before the change. */
    'POST /audit_entries': (input, operator) =>
      audited(sql, operator, requireText(input, 'action'), async () => ({
        subject: requireText(input, 'subject'),
        details: (input.details ?? {}) as Record<string, unknown>,
        result: { recorded: true },
      })),
  };
}

/** Makes the Koa application of the routes. */
export function createOperatorRoutes({ sql, contextSecrets, log }: OperatorRoutesOptions): Koa {
  const router = new Router();
  for (const [route, handle] of Object.entries(createHandlers(sql))) {
    const [method = '', path = ''] = route.split(' ');
    router.register(`/operator${path}`, [method], async (ctx: Context) => {
      const operator = requireOperator(ctx, contextSecrets);
      ctx.type = JSON_CONTENT;
      ctx.body = JSON.stringify(await handle(await readInput(ctx), operator, ctx));
    });
  }
  const app = new Koa();
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      // An operator may read the reason, such as that a project does not exist.
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
  app.use(router.routes());
  app.on('error', (error: unknown) => log.warn({ err: error }, 'connection error'));
  return app;
}

/** The router for the contract's operations: for each one the checks of its requests, and the handler that sends its response. */
import type { ServerResponse } from 'node:http';
import { BASE_PATH, type Environment, expandPath, type Operation, operationList } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import Router from '@koa/router';
import type { Next } from 'koa';
import { type ForwardOptions, forwardRequest } from './forward';
import type { OwnOperations } from './own-operations';
import { checkPermission } from './permission';
import type { Turn } from './project-capacity';
import { type CheckedRequest, type RequestChecks, type RequestSource, sourceOf } from './request-check';
import type { GatewayContext, RequestState } from './request-state';

export interface RouteOptions extends ForwardOptions {
  readonly environment: Environment;
  readonly own: OwnOperations;
  readonly checks: RequestChecks;
}

function pathsOf(operation: Operation): string[] {
  const path = BASE_PATH + expandPath(operation.path, (name) => `:${name}`);
  return operation.path === '/' ? [BASE_PATH, path] : [path];
}

function respond(
  ctx: GatewayContext,
  operation: Operation,
  request: CheckedRequest,
  turn: Turn,
  options: RouteOptions,
) {
  const own = options.own[operation.id];
  return own === undefined ? forwardRequest(ctx, operation, request, turn, options) : own(ctx, request);
}

/**
 * Runs `work` with the checked request, when its project has processor time. A request waits for that before its body is read, so that it
 * takes no memory meanwhile.
 *
 * @param response the HTTP response that waits
 * @throws ApiError permission_denied, rate_limited, and those of the checks
 */
export async function runChecked<T>(
  source: RequestSource,
  operation: Operation,
  params: Readonly<Record<string, string>>,
  response: ServerResponse,
  { capacity, checks }: Pick<RouteOptions, 'capacity' | 'checks'>,
  work: (request: CheckedRequest, turn: Turn) => Promise<T>,
): Promise<T> {
  const { caller } = source;
  checkPermission(operation, caller);
  return capacity.run(caller, operation, response, async (turn) => {
    const hold = checks.startHold(caller.tenant);
    try {
      return await work(await checks.check(source, operation, params, hold), turn);
    } finally {
      hold.release();
    }
  });
}

function createHandler(operation: Operation, options: RouteOptions) {
  return async (ctx: GatewayContext & { params: Record<string, string> }): Promise<void> => {
    ctx.state.operation = operation;
    await runChecked(sourceOf(ctx), operation, ctx.params, ctx.res, options, (request, turn) =>
      respond(ctx, operation, request, turn, options),
    );
  };
}

/** Creates a router with all operations of the gateway's environment. */
export function createOperationRouter(options: RouteOptions): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const operation of operationList) {
    if (operation.sandboxOnly === true && options.environment === 'production') continue;
    for (const path of pathsOf(operation)) {
      const layer = router.register(path, [operation.method], createHandler(operation, options));
      // The router adds HEAD to each GET. The contract has no HEAD, so it is removed.
      layer.methods = [operation.method];
    }
  }
  return router;
}

/** Creates the middleware after the router: rejects an unknown method of a known path (405) and an unknown path (404). */
export function rejectUnknownOperation(router: Router<RequestState>) {
  return async (ctx: GatewayContext, _next: Next): Promise<void> => {
    const methods = router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
    if (methods.length === 0) throw new ApiError('resource_not_found', 'There is no such path.');
    ctx.set('Allow', [...new Set(methods)].join(', '));
    throw new ApiError('method_not_allowed', `This path does not support the method ${ctx.method}.`);
  };
}

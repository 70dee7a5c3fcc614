/** The router for the contract's operations: for each one the checks of its requests, and the handler that sends its response. */
import {
  BASE_PATH,
  type Environment,
  expandPath,
  type Operation,
  operationList,
  type TokenInput,
} from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import Router from '@koa/router';
import type { Next } from 'koa';
import { type ForwardOptions, forwardRequest } from './forward';
import type { createOwnOperations } from './own-operations';
import { checkPermission } from './permission';
import type { Turn } from './project-capacity';
import { RequestBodyBudget } from './request-body-budget';
import { type CheckedRequest, RequestChecks } from './request-check';
import { admissionOf, type GatewayContext, type RequestState } from './request-state';

export interface RouteOptions extends Omit<ForwardOptions, 'unreadBudget'> {
  readonly environment: Environment;
  readonly own: ReturnType<typeof createOwnOperations>;
}

function pathsOf(operation: Operation): string[] {
  const path = BASE_PATH + expandPath(operation.path, (name) => `:${name}`);
  return operation.path === '/' ? [BASE_PATH, path] : [path];
}

type HandlerOptions = RouteOptions & ForwardOptions;

function respond(
  ctx: GatewayContext,
  operation: Operation,
  request: CheckedRequest,
  turn: Turn,
  options: HandlerOptions,
) {
  if (operation.id === 'getApi') return options.own.getApi(ctx);
  if (operation.id === 'createToken') return options.own.createToken(ctx, request.body as TokenInput);
  return forwardRequest(ctx, operation, request, turn, options);
}

function createHandler(operation: Operation, options: HandlerOptions, checks: RequestChecks) {
  return async (ctx: GatewayContext & { params: Record<string, string> }): Promise<void> => {
    ctx.state.operation = operation;
    const admission = admissionOf(ctx);
    checkPermission(operation, admission);
    // A request waits for processor time before its body is read, so that it takes no memory meanwhile.
    await options.capacity.run(admission, operation, ctx.res, async (turn) => {
      const hold = checks.startHold(admission.tenant);
      try {
        const request = await checks.check(ctx, operation, ctx.params, hold);
        await respond(ctx, operation, request, turn, options);
      } finally {
        hold.release();
      }
    });
  };
}

/** Creates a router with all operations of the gateway's environment. */
export function createOperationRouter(given: RouteOptions): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  const checks = new RequestChecks();
  const options = { ...given, unreadBudget: new RequestBodyBudget() };
  for (const operation of operationList) {
    if (operation.sandboxOnly === true && options.environment === 'production') continue;
    for (const path of pathsOf(operation)) {
      const layer = router.register(path, [operation.method], createHandler(operation, options, checks));
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

/** The router, made from the contract's table of operations: the checks that follow once the operation is known, then its answer. */
import {
  BASE_PATH,
  type Environment,
  type Operation,
  operationList,
  type TokenInput,
} from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import Router from '@koa/router';
import type { Next } from 'koa';
import { type ForwardOptions, forward } from './forward';
import type { ownOperations } from './own-operations';
import { checkPermission } from './permission';
import { RequestBodyBudget } from './request-body-budget';
import { type CheckedRequest, RequestChecks } from './request-check';
import { admissionOf, type GatewayContext, type RequestState } from './request-state';

export interface RouteOptions extends Omit<ForwardOptions, 'unread'> {
  readonly environment: Environment;
  readonly own: ReturnType<typeof ownOperations>;
}

function pathsOf(operation: Operation): string[] {
  const path = BASE_PATH + operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  return operation.path === '/' ? [BASE_PATH, path] : [path];
}

type AllOptions = RouteOptions & ForwardOptions;

function answer(ctx: GatewayContext, operation: Operation, request: CheckedRequest, options: AllOptions) {
  if (operation.id === 'getApi') return options.own.getApi(ctx);
  if (operation.id === 'createToken') return options.own.createToken(ctx, request.body as TokenInput);
  return forward(ctx, operation, request, options);
}

function handle(operation: Operation, options: AllOptions, checks: RequestChecks) {
  return async (ctx: GatewayContext & { params: Record<string, string> }): Promise<void> => {
    ctx.state.operation = operation;
    checkPermission(operation, admissionOf(ctx));
    const request = await checks.check(ctx, operation, ctx.params);
    await answer(ctx, operation, request, options);
  };
}

/** Routes of all operations that exist in this environment. */
export function operationRoutes(given: RouteOptions): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  const checks = new RequestChecks();
  const options = { ...given, unread: new RequestBodyBudget() };
  for (const operation of operationList) {
    if (operation.sandboxOnly === true && options.environment === 'production') continue;
    for (const path of pathsOf(operation)) {
      const layer = router.register(path, [operation.method], handle(operation, options, checks));
      // The router would add HEAD to each GET, which the contract does not have.
      layer.methods = [operation.method];
    }
  }
  return router;
}

/** After the router: a known path with another method (405), or an unknown one (404). */
export function noOperation(router: Router<RequestState>) {
  return async (ctx: GatewayContext, _next: Next): Promise<void> => {
    const methods = router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
    if (methods.length === 0) throw new ApiError('resource_not_found', 'There is no such path.');
    ctx.set('Allow', [...new Set(methods)].join(', '));
    throw new ApiError('method_not_allowed', `This path has no ${ctx.method}.`);
  };
}

/** Rejects paths outside the base path `/v1` (404). Below the base path the key is checked first, also for paths that do not exist. */
import { BASE_PATH } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import type { GatewayContext } from './request-state';

export function requireBasePath() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    if (ctx.path !== BASE_PATH && !ctx.path.startsWith(`${BASE_PATH}/`)) {
      throw new ApiError('resource_not_found', 'There is no such path.');
    }
    await next();
  };
}

/** Below the base path a key is asked for first, also where there is nothing; elsewhere there is nothing to protect. */
import { BASE_PATH } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import type { GatewayContext } from './request-state';

export function withinBasePath() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    if (ctx.path !== BASE_PATH && !ctx.path.startsWith(`${BASE_PATH}/`)) {
      throw new ApiError('resource_not_found', 'There is no such path.');
    }
    await next();
  };
}

/** HTTP/1.1 asks for one Host (RFC 9112, 3.2); a request that says two could mean another thing to a proxy than to us. */
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import type { GatewayContext } from './request-state';

export function oneHost() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const hosts = ctx.req.headersDistinct.host?.length ?? 0;
    if (hosts > 1 || (hosts === 0 && ctx.req.httpVersion === '1.1')) {
      throw new ApiError('validation_failed', '/headers/Host must be there, once.');
    }
    await next();
  };
}

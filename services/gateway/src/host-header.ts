/** Requires one Host header for HTTP/1.1 (RFC 9112, 3.2). A proxy and the gateway could use different ones of two Host headers. */
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import type { GatewayContext } from './request-state';

export function requireOneHost() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const hosts = ctx.req.headersDistinct.host?.length ?? 0;
    if (hosts > 1 || (hosts === 0 && ctx.req.httpVersion === '1.1')) {
      throw new ApiError('validation_failed', '/headers/Host must be present exactly once.');
    }
    await next();
  };
}

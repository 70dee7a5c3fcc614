/** The first check: plain HTTP is rejected, not redirected, so that a client that sends its key unencrypted fails visibly. */
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import type { ClientAddress } from './client-address';
import type { GatewayContext } from './request-state';

/** The Strict-Transport-Security header: one year, without subdomains, because other hosts of the domain may not support https. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Creates the middleware that rejects plain HTTP. @param hsts whether responses have Strict-Transport-Security (RFC 6797) */
export function requireHttps(addresses: ClientAddress, hsts: boolean) {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    if (!addresses.isSecure(ctx.req)) {
      ctx.set('Connection', 'close');
      throw new ApiError('https_required', 'This API accepts https only.');
    }
    if (hsts) ctx.set('Strict-Transport-Security', STRICT_TRANSPORT);
    await next();
  };
}

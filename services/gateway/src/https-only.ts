/** The first check: plain HTTP is rejected, not redirected, so that no client goes on sending a key in the clear unnoticed. */
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import type { ClientAddress } from './client-address';
import type { GatewayContext } from './request-state';

/** A year. Subdomains are not included: this process answers for its own host only. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** @param hsts whether answers tell browsers to use https for this host from now on (RFC 6797) */
export function httpsOnly(addresses: ClientAddress, hsts: boolean) {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    if (!addresses.isSecure(ctx.req)) {
      ctx.set('Connection', 'close');
      throw new ApiError('https_required', 'This API answers over https only.');
    }
    if (hsts) ctx.set('Strict-Transport-Security', STRICT_TRANSPORT);
    await next();
  };
}

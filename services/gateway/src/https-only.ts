/** The first check: plain HTTP is refused, not redirected, so that nobody goes on sending a key in the clear unnoticed. */
import { Refusal } from '@carecover/platform';
import type { Next } from 'koa';
import type { ClientAddress } from './client-address';
import type { GatewayContext } from './request-state';

export function httpsOnly(addresses: ClientAddress) {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    if (!addresses.isSecure(ctx.req)) {
      ctx.set('Connection', 'close');
      throw new Refusal('https_required', 'This API answers over https only.');
    }
    await next();
  };
}

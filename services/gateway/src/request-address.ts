/**
 * Checks of the address to which a request was sent, before any other part of the request is read: https, one Host, a target that can be
 * parsed, and the base path `/v1`.
 */
import { BASE_PATH } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { type ClientAddress, checkRequestHead } from '@carecover/http';
import type { Next } from 'koa';
import type { GatewayContext } from './request-state';

/** The Strict-Transport-Security header: one year, without subdomains, because other hosts of the domain may not support https. */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * Creates the middleware that rejects plain HTTP. It does not redirect, so that a client that sends its key unencrypted fails visibly.
 *
 * @param hsts whether responses have Strict-Transport-Security (RFC 6797)
 */
export function requireHttps(addresses: ClientAddress, hsts: boolean) {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    if (!addresses.isSecure(ctx.req)) {
      ctx.set('Connection', 'close');
      const { authorization, 'x-api-key': key } = ctx.req.headers;
      const disclosed =
        authorization === undefined && key === undefined
          ? ''
          : ' The key of this request was sent unencrypted, over plain http: rotate it.';
      throw new ApiError('https_required', `This API accepts https only.${disclosed}`);
    }
    if (hsts) ctx.set('Strict-Transport-Security', STRICT_TRANSPORT);
    await next();
  };
}

/**
 * Creates the middleware that requires one Host header for HTTP/1.1 (RFC 9112, 3.2). If a request had two, a proxy and the gateway could use
 * different ones.
 */
export function requireOneHost() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const hosts = ctx.req.headersDistinct.host?.length ?? 0;
    if (hosts > 1 || (hosts === 0 && ctx.req.httpVersion === '1.1')) {
      throw new ApiError('validation_failed', '/headers/Host must be present exactly once.');
    }
    await next();
  };
}

/** Creates the middleware that rejects a request target that can't be parsed, such as `http://[`, and too many header lines. */
export function requireRequestHead() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    checkRequestHead(ctx);
    await next();
  };
}

/** Creates the middleware that rejects paths outside the base path (404). Below it the key is checked first, also for unknown paths. */
export function requireBasePath() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    if (ctx.path !== BASE_PATH && !ctx.path.startsWith(`${BASE_PATH}/`)) {
      throw new ApiError(
        'resource_not_found',
        `There is no such path: the paths of the API begin with ${BASE_PATH}/.`,
      );
    }
    await next();
  };
}

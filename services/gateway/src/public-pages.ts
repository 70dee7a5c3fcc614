/**
 * What anyone may read without a key: the pages for people and the API description. It needs no database and no other service,
 * so it is there when they are not. Failure policy: what one address asks for in a minute is bounded, beyond that 429.
 */
import { BASE_PATH, openApiDocument } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { Next } from 'koa';
import { AddressRateLimiter } from './address-rate-limiter';
import { setRateLimitHeaders } from './admission';
import type { ClientAddress } from './client-address';
import { isPreflight } from './cross-origin';
import { docsSite } from './docs/site';
import { type StaticAnswer, sendStatic, staticAnswer } from './docs/static-answer';
import type { GatewayContext } from './request-state';

const API_DESCRIPTION_PATH = `${BASE_PATH}/openapi.json`;

/**
 * Made once, whoever asks: what may be kept by a cache between us and many callers must not depend on what one of them sent.
 *
 * @param publicUrl our origin, or null: the description then names no host
 */
function apiDescription(publicUrl: string | null): StaticAnswer {
  const text = JSON.stringify(openApiDocument({ serverUrl: (publicUrl ?? '') + BASE_PATH }));
  return staticAnswer('application/json; charset=utf-8', text, {
    'Cache-Control': 'public, max-age=300',
    'Access-Control-Allow-Origin': '*',
  });
}

/** @param requests counts what each address asks for in a minute */
export function publicPages(
  publicUrl: string | null,
  addresses: ClientAddress,
  requests: AddressRateLimiter,
) {
  const site = new Map([
    ...docsSite(API_DESCRIPTION_PATH),
    [API_DESCRIPTION_PATH, apiDescription(publicUrl)] as const,
  ]);

  function count(ctx: GatewayContext): void {
    const address = addresses.of(ctx.req);
    const nowMs = Date.now();
    if (requests.rejects(address, null, nowMs)) {
      const seconds = AddressRateLimiter.secondsLeft(nowMs);
      setRateLimitHeaders(ctx, requests.limitPerMinute, requests.limitPerMinute, nowMs);
      throw new ApiError('rate_limited', 'Too many pages were asked for from this address.', seconds);
    }
    requests.failed(address, null, nowMs);
  }

  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const page = site.get(ctx.path);
    const isPreflightOfApi = ctx.path === API_DESCRIPTION_PATH && isPreflight(ctx);
    if (page === undefined || isPreflightOfApi) return next();
    if (!isRead) {
      ctx.set('Allow', 'GET, HEAD');
      throw new ApiError('method_not_allowed', `This path has no ${ctx.method}.`);
    }
    count(ctx);
    sendStatic(ctx, page);
  };
}

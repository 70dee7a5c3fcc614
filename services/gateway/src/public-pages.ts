/**
 * The pages that can be read without a key: documentation and API description. They need no database and no other service, so they are
 * available during an outage. A browser is redirected from `/` to the documentation, and gets a page for unknown addresses below `/docs`.
 * Other clients get the API error. Failure policy: the number of requests per address and minute is limited; requests above the limit get
 * 429.
 */
import { BASE_PATH, DOCS_PATH } from '@carecover/contract';
import { openApiDocument } from '@carecover/contract/openapi';
import { createDocsSite, type StaticFile, UNKNOWN_PAGE } from '@carecover/docs-site';
import { ApiError } from '@carecover/domain';
import { type ClientAddress, createStaticResponse, preferredType, sendStaticResponse } from '@carecover/http';
import type { Next } from 'koa';
import { AddressRateLimiter } from './address-rate-limiter';
import { setRateLimitHeaders } from './admission';
import { isPreflight } from './cross-origin';
import type { GatewayContext } from './request-state';

const API_DESCRIPTION_PATH = `${BASE_PATH}/openapi.json`;

/**
 * Creates the API description once. A shared cache can store it, so it must not depend on a request.
 *
 * @param publicUrl the gateway's origin; null: the description contains no host
 */
function apiDescription(publicUrl: string | null): StaticFile {
  return {
    type: 'application/json; charset=utf-8',
    content: JSON.stringify(openApiDocument({ serverUrl: (publicUrl ?? '') + BASE_PATH })),
    headers: { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' },
  };
}

/**
 * Creates the middleware that sends the public pages.
 *
 * @param requests counts the requests for pages per address and minute
 */
export function servePublicPages(
  publicUrl: string | null,
  addresses: ClientAddress,
  requests: AddressRateLimiter,
) {
  const files = new Map(createDocsSite());
  files.set(API_DESCRIPTION_PATH, apiDescription(publicUrl));
  const responses = new Map([...files].map(([path, file]) => [path, createStaticResponse(file)]));
  const unknownPage = responses.get(UNKNOWN_PAGE);
  responses.delete(UNKNOWN_PAGE);

  function count(ctx: GatewayContext): void {
    const address = addresses.addressOf(ctx.req);
    const nowMs = Date.now();
    if (requests.isLimited(address, null, nowMs)) {
      const seconds = AddressRateLimiter.secondsUntilReset(nowMs);
      setRateLimitHeaders(ctx, requests.limitPerMinute, requests.limitPerMinute, nowMs);
      throw new ApiError('rate_limited', 'Too many requests for pages came from this address.', seconds);
    }
    requests.recordFailure(address, null, nowMs);
  }

  /**
   * Redirects a browser from `/` to the documentation, and sends it a page for an unknown address below `/docs`. Returns whether it sent a
   * response.
   */
  function respondToBrowser(ctx: GatewayContext): boolean {
    const unknown = ctx.path.startsWith(`${DOCS_PATH}/`) ? unknownPage : undefined;
    if (ctx.path !== '/' && unknown === undefined) return false;
    ctx.vary('Accept');
    if (preferredType(ctx, ['json', 'html']) !== 'html') return false;
    count(ctx);
    if (unknown === undefined) ctx.redirect(`${DOCS_PATH}/`);
    else sendStaticResponse(ctx, unknown, 404);
    return true;
  }

  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const page = responses.get(ctx.path);
    const isPreflightOfApi = ctx.path === API_DESCRIPTION_PATH && isPreflight(ctx);
    if (page === undefined && isRead && respondToBrowser(ctx)) return;
    if (page === undefined || isPreflightOfApi) return next();
    if (!isRead) {
      ctx.set('Allow', 'GET, HEAD');
      throw new ApiError('method_not_allowed', `This path does not support the method ${ctx.method}.`);
    }
    count(ctx);
    sendStaticResponse(ctx, page);
  };
}

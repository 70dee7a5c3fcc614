/**
 * What anyone may read without a key: the pages for people and the API description. It needs no database and no other service,
 * so it is there when they are not. Failure policy: what one address asks for in a minute is bounded, beyond that 429.
 */
import { BASE_PATH, openApiDocument } from '@carecover/contract';
import { Refusal } from '@carecover/platform';
import type { Next } from 'koa';
import { setRateLimitHeaders } from './admission';
import type { ClientAddress } from './client-address';
import { isPreflight } from './cross-origin';
import { docsSite } from './docs/site';
import { type StaticAnswer, sendStatic, staticAnswer } from './docs/static-answer';
import { FloodGuard } from './flood-guard';
import type { GatewayContext } from './request-state';

export const API_DESCRIPTION_PATH = `${BASE_PATH}/openapi.json`;

/** Stands for our address in the description, which is made once. */
const PLACEHOLDER = 'https://origin.invalid';

/** Callers may make up hosts; what is kept for each is therefore kept for the first few. */
const REMEMBERED_ORIGINS = 4;

function apiDescription(): (origin: string) => StaticAnswer {
  const text = JSON.stringify(openApiDocument({ serverUrl: PLACEHOLDER + BASE_PATH }));
  const known = new Map<string, StaticAnswer>();
  return (origin) => {
    const made = known.get(origin);
    if (made !== undefined) return made;
    const isKept = known.size < REMEMBERED_ORIGINS;
    const answer = staticAnswer(
      'application/json; charset=utf-8',
      text.replaceAll(PLACEHOLDER, origin),
      { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' },
      { compress: isKept },
    );
    if (isKept) known.set(origin, answer);
    return answer;
  };
}

/** @param requests counts what each address asks for in a minute */
export function publicPages(addresses: ClientAddress, requests: FloodGuard) {
  const site = docsSite(API_DESCRIPTION_PATH);
  const description = apiDescription();

  function count(ctx: GatewayContext): void {
    const address = addresses.of(ctx.req);
    const nowMs = Date.now();
    if (requests.refuses(address, null, nowMs)) {
      const seconds = FloodGuard.secondsLeft(nowMs);
      setRateLimitHeaders(ctx, requests.limitPerMinute, requests.limitPerMinute, nowMs);
      throw new Refusal('rate_limited', 'Too many pages were asked for from this address.', seconds);
    }
    requests.failed(address, null, nowMs);
  }

  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const page = site.get(ctx.path);
    const isDescription = ctx.path === API_DESCRIPTION_PATH;
    if ((page === undefined && !isDescription) || (isDescription && isPreflight(ctx))) return next();
    if (!isRead) {
      ctx.set('Allow', 'GET, HEAD');
      throw new Refusal('method_not_allowed', `This path has no ${ctx.method}.`);
    }
    count(ctx);
    sendStatic(ctx, page ?? description(ctx.state.origin));
  };
}

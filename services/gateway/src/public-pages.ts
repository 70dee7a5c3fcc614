/** What anyone may read without a key: the error page and the API description. */
import { BASE_PATH, ERROR_DOCS_PATH, openApiDocument } from '@carecover/contract';
import type { Next } from 'koa';
import { errorPage } from './error-page';
import type { GatewayContext } from './request-state';

export const API_DESCRIPTION_PATH = `${BASE_PATH}/openapi.json`;

/** Stands for our address in the description, which is made once. */
const PLACEHOLDER = 'https://origin.invalid';

const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export function publicPages() {
  const errors = errorPage();
  const description = JSON.stringify(openApiDocument({ serverUrl: PLACEHOLDER + BASE_PATH }));
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && ctx.path === ERROR_DOCS_PATH) {
      ctx.set({ 'Content-Security-Policy': CONTENT_POLICY, 'Cache-Control': 'public, max-age=300' });
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = errors;
    } else if (isRead && ctx.path === API_DESCRIPTION_PATH) {
      ctx.set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' });
      ctx.type = 'application/json; charset=utf-8';
      ctx.body = description.replaceAll(PLACEHOLDER, ctx.state.origin);
    } else {
      await next();
    }
  };
}

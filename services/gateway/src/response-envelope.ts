/**
 * The outermost middleware: every response has a request ID, and every error has the contract's envelope, whose `docs` link to a page of
 * this gateway. Failure policy: an error that is not an ApiError is logged in full; the client receives a message without its details.
 */
import { randomUUID } from 'node:crypto';
import { errorResponse, onResponseEnd } from '@carecover/http';
import { activeTraceId, type HttpMetrics, type Log } from '@carecover/telemetry';
import type { Next } from 'koa';
import { discardRemainingBody } from './request-body';
import { type GatewayContext, requestName } from './request-state';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

export const JSON_CONTENT = 'application/json; charset=utf-8';

/** Returns the client's request ID if it is a UUID, else a new one. */
export function resolveRequestId(given: string | undefined): string {
  return given !== undefined && UUID.test(given) ? given : randomUUID();
}

/**
 * Creates the middleware that sets the headers of every response, logs it, and converts errors. A request is logged when its response was
 * sent. If the connection ended before, the request is logged with `delivered: false` and the status that the client would have received,
 * because a write has its effect also without the client.
 *
 * @param publicUrl the origin of links in responses; null: the origin of the request, from its Host header
 */
export function wrapResponse(publicUrl: string | null, log: Log, metrics: HttpMetrics) {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const startedMs = performance.now();
    const host = ctx.get('host');
    ctx.state.requestId = resolveRequestId(ctx.get('x-request-id'));
    ctx.state.origin = publicUrl ?? `https://${HOST.test(host) ? host : 'localhost'}`;
    ctx.set('X-Request-Id', ctx.state.requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'no-store');
    const traceId = activeTraceId();
    let isHandled = false;
    let isEnded = false;
    let isSent = false;
    const record = () => {
      if (!isHandled || !isEnded) return;
      const operation = requestName(ctx.state) ?? 'none';
      const durationMs = performance.now() - startedMs;
      metrics.observe(operation, ctx.status, durationMs);
      log.info({
        request_id: ctx.state.requestId,
        trace_id: traceId,
        operation,
        status: ctx.status,
        duration_ms: Math.round(durationMs),
        key_id: ctx.state.admission?.keyId,
        token_id: ctx.state.admission?.tokenId ?? undefined,
        delivered: isSent ? undefined : false,
      });
    };
    ctx.res.once('finish', () => {
      isSent = true;
      discardRemainingBody(ctx.req);
    });
    onResponseEnd(ctx.res, () => {
      isEnded = true;
      record();
    });
    try {
      await next();
    } catch (error) {
      const response = errorResponse(error, ctx.state.origin);
      if (response.isUnexpected) {
        log.error(
          {
            err: error,
            request_id: ctx.state.requestId,
            trace_id: traceId,
            operation: requestName(ctx.state),
          },
          'internal error',
        );
      }
      ctx.status = response.status;
      ctx.set(response.headers);
      ctx.type = JSON_CONTENT;
      ctx.body = JSON.stringify(ctx.state.formatError?.(response.body, response.status) ?? response.body);
    }
    isHandled = true;
    record();
  };
}

/**
 * The outermost step: every answer has a request id and every error the contract's envelope, whose `docs` lead to the page
 * that this gateway serves. Failure policy: what is not a rejection is logged in full and told in one sentence.
 */
import { randomUUID } from 'node:crypto';
import { activeTraceId, errorResponse, type HttpMetrics, type Log } from '@carecover/platform';
import type { Next } from 'koa';
import { discardRest } from './request-body';
import type { GatewayContext } from './request-state';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

export const JSON_CONTENT = 'application/json; charset=utf-8';

/** The caller's own request id where it is a UUID, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && UUID.test(given) ? given : randomUUID();
}

/** @param publicUrl the origin for links, or null to take the host that the request names */
export function answers(publicUrl: string | null, log: Log, metrics: HttpMetrics) {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    const startedMs = performance.now();
    const host = ctx.get('host');
    ctx.state.requestId = requestIdOf(ctx.get('x-request-id'));
    ctx.state.origin = publicUrl ?? `https://${HOST.test(host) ? host : 'localhost'}`;
    ctx.set('X-Request-Id', ctx.state.requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'no-store');
    const traceId = activeTraceId();
    ctx.res.once('finish', () => {
      discardRest(ctx.req);
      const operation = ctx.state.operation?.id ?? 'none';
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
      });
    });
    try {
      await next();
    } catch (error) {
      const answer = errorResponse(error, ctx.state.origin);
      if (answer.isUnexpected) {
        log.error(
          {
            err: error,
            request_id: ctx.state.requestId,
            trace_id: traceId,
            operation: ctx.state.operation?.id,
          },
          'internal error',
        );
      }
      ctx.status = answer.status;
      ctx.set(answer.headers);
      ctx.type = JSON_CONTENT;
      ctx.body = JSON.stringify(answer.body);
    }
  };
}

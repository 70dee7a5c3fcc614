/** Server spans: Koa middleware that traces each request. It is installed before all other middleware, and only while tracing is on. */

import { TRACEPARENT } from '@carecover/domain';
import type { Next, ParameterizedContext } from 'koa';
import { activeSpan, recordResponse, resumeTrace, SpanKind, startTrace } from './spans';

/** What the span of a request shows besides the method and the status. It is read when the other middleware has ended. */
export interface ServedRequest {
  /** ID of the operation; undefined if the request matched none. */
  readonly operation: string | undefined;
  readonly requestId: string;
}

/**
 * Makes the middleware.
 *
 * @param canStart whether a request without a trace context starts a trace; true only in the gateway
 * @param describe called when the other middleware has ended, before the response is sent
 */
export function traceRequests<State>(
  canStart: boolean,
  describe: (ctx: ParameterizedContext<State>) => ServedRequest,
) {
  const within = canStart ? startTrace : resumeTrace;
  return (ctx: ParameterizedContext<State>, next: Next): Promise<void> =>
    within(ctx.get(TRACEPARENT), ctx.method, SpanKind.SERVER, async () => {
      await next();
      const span = activeSpan();
      if (span === null) return;
      const { operation, requestId } = describe(ctx);
      const route: unknown = ctx.routerPath;
      span.setAttributes({
        'http.request.method': ctx.method,
        'carecover.request_id': requestId,
      });
      if (typeof route === 'string')
        span.updateName(`${ctx.method} ${route}`).setAttribute('http.route', route);
      if (operation !== undefined) span.setAttribute('carecover.operation', operation);
      recordResponse(ctx.status, ctx.status >= 500);
    });
}

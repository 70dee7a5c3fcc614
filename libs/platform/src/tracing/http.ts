/** The span of each request that a server answers, as Koa's outermost middleware; put there only while tracing is on. */
import type { Next, ParameterizedContext } from 'koa';
import { activeSpan, noteAnswer, resumeTrace, SpanKind, startTrace } from './spans';
import { TRACEPARENT } from './traceparent';

/** What the request turned out to be, once it is answered. */
export interface AnsweredRequest {
  /** Undefined where none was found. */
  readonly operation: string | undefined;
  readonly requestId: string;
}

/**
 * @param mayBegin true at the edge alone: whether a request that brings no trace begins one
 * @param describe asked after the answer
 */
export function requestSpans<State>(
  mayBegin: boolean,
  describe: (ctx: ParameterizedContext<State>) => AnsweredRequest,
) {
  const within = mayBegin ? startTrace : resumeTrace;
  return (ctx: ParameterizedContext<State>, next: Next): Promise<void> =>
    within(ctx.get(TRACEPARENT), ctx.method, SpanKind.SERVER, async () => {
      await next();
      const span = activeSpan();
      if (span === null) return;
      const { operation, requestId } = describe(ctx);
      const route: unknown = ctx._matchedRoute;
      span.setAttributes({
        'http.request.method': ctx.method,
        'carecover.request_id': requestId,
      });
      if (typeof route === 'string')
        span.updateName(`${ctx.method} ${route}`).setAttribute('http.route', route);
      if (operation !== undefined) span.setAttribute('carecover.operation', operation);
      noteAnswer(ctx.status, ctx.status >= 500);
    });
}

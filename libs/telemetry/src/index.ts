/** Logs, metrics, traces and the cost of requests. */

export { WARNING_LEVEL } from './buffered-output';
export * from './failure-log';
export * from './log';
export * from './metrics';
export * from './minute-limiter';
export * from './redact';
export {
  activeCost,
  COST_HEADER,
  computeAtCost,
  measureCost,
  RequestCost,
  withoutCost,
} from './request-cost';
export { type ServedRequest, traceRequests } from './tracing/http';
export {
  activeSpan,
  activeTraceId,
  activeTraceparent,
  isTracing,
  recordResponse,
  resumeTrace,
  SpanKind,
  setRecorder,
  startSpanBelow,
  startTrace,
  traceparentOf,
  withoutTrace,
  withSpan,
} from './tracing/spans';
export { startTracing } from './tracing/start';

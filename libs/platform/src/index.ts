/** The code that all services share: settings, logs, database, commands, outbox, HTTP, Temporal, start and stop. */

export * from '@carecover/setup/config';
export * from '@carecover/setup/temporal-connection';
export * from './after-restore';
export * from './api-error';
export * from './authority';
export * from './background-loop';
export * from './batcher';
export * from './canonical';
export * from './client-address';
export * from './close-server';
export { type CollectedResponse, collectResponse } from './collect-response';
export * from './commands';
export * from './connection-deadlines';
export * from './connection-maximums';
export * from './context';
export * from './dead-lettered-events';
export * from './deletions';
export * from './error-response';
export * from './failpoints';
export * from './failure-log';
export * from './fair-semaphore';
export * from './gauges';
export * from './ids';
export * from './import-files';
export * from './interruptible-sleep';
export * from './lifecycle';
export * from './lists';
export * from './log';
export * from './metrics';
export * from './minute-limiter';
export { preferredType, prefersGzip } from './negotiation';
export { nextTurn, runInTurns } from './next-turn';
export * from './notifications';
export * from './outages';
export * from './outbox';
export * from './postgres';
export * from './private-server';
export { type QueryParameters, readQueryParameters } from './query-parameters';
export * from './redact';
export * from './references';
export * from './relay';
export * from './remote-steps';
export * from './replicas';
export {
  activeCost,
  COST_HEADER,
  computeAtCost,
  measureCost,
  RequestCost,
  withoutCost,
} from './request-cost';
export * from './request-head';
export * from './resource-workflow';
export * from './response-end';
export * from './search-text';
export * from './service';
export * from './service-client';
export * from './service-server';
export * from './static-response';
export * from './stream';
export * from './strict-json';
export * from './sweeper';
export * from './temporal';
export * from './temporal-errors';
export * from './tenant';
export * from './tls-server';
export { repeatWhenTooEarly, TooEarly, WAIT_HEADER } from './too-early';
export { type AnsweredRequest, traceRequests } from './tracing/http';
export {
  activeTraceId,
  activeTraceparent,
  isTracing,
  recordResponse,
  resumeTrace,
  SpanKind,
  withoutTrace,
  withSpan,
} from './tracing/spans';
export { startTracing } from './tracing/start';
export { isTraceparent, TRACEPARENT } from './tracing/traceparent';
export { escapeHtml, triangleSections } from './triangle-sections';
export * from './worker';
export * from './workflow-signals';

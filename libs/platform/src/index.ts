/** What every service stands on, one of each: settings, logs, database, commands, outbox, HTTP, Temporal, start and stop. */
export * from './after-restore';
export * from './alarm';
export * from './canonical';
export * from './close-server';
export * from './commands';
export * from './config';
export * from './connection-deadlines';
export * from './context';
export * from './error-answer';
export * from './failpoints';
export * from './fair-places';
export * from './gauges';
export * from './ids';
export * from './lifecycle';
export * from './lists';
export * from './log';
export * from './metrics';
export * from './notices';
export * from './outages';
export * from './outbox';
export * from './parked-events';
export * from './pool-gauges';
export * from './postgres';
export * from './redact';
export * from './refusal';
export * from './relay';
export * from './remote-steps';
export * from './replicas';
export * from './rest';
export * from './service';
export * from './service-client';
export * from './service-server';
export * from './stream';
export * from './strict-json';
export * from './sweeper';
export * from './temporal';
export * from './temporal-connection';
export * from './temporal-errors';
export * from './tenant';
export { type AnsweredRequest, requestSpans } from './tracing/http';
export {
  activeTraceId,
  activeTraceparent,
  apart,
  continued,
  isTracing,
  noteAnswer,
  SpanKind,
  traced,
} from './tracing/spans';
export { startTracing } from './tracing/start';
export { parseTraceparent, TRACEPARENT } from './tracing/traceparent';
export * from './visible';
export * from './worker';
export * from './workflow-reviews';

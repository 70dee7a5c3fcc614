/**
 * OpenTelemetry spans. The gateway starts a trace and decides whether it is sampled; other processes only continue sampled traces,
 * so that an unsampled request costs one comparison.
 *
 * Spans contain names of operations, tables and activities, and resource IDs; never a body, key, member reference, SQL parameter
 * or error message, which could quote one.
 */

import { isRejection, isTraceparent, TRACEPARENT } from '@carecover/domain';
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  createContextKey,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export { SpanKind };

/** The parts of OpenTelemetry's SDK with which spans are made while tracing is on. */
export interface Recorder {
  readonly tracer: Tracer;
  /** Stores the active span where other OpenTelemetry instrumentations find it. */
  readonly contextManager: ContextManager;
  /** Reads and writes the traceparent. */
  readonly propagator: TextMapPropagator;
  /** Sets the span ID that the next started span gets. */
}

let recorder: Recorder | null = null;

/** Turns tracing on with a recorder, or off with null. */
export function setRecorder(newRecorder: Recorder | null): void {
  recorder = newRecorder;
  // If another OpenTelemetry instrumentation has registered a context manager, it is used instead of the recorder's. A registered context
  // manager is never removed.
  if (newRecorder !== null && !hasContextManager())
    context.setGlobalContextManager(newRecorder.contextManager);
}

const PROBE = createContextKey('carecover');

/** Returns whether a context manager is registered in this process. */
function hasContextManager(): boolean {
  return context.with(ROOT_CONTEXT.setValue(PROBE, true), () => context.active().getValue(PROBE) === true);
}

export function isTracing(): boolean {
  return recorder !== null;
}

/** Returns the current sampled span; null if there is none. */
export function activeSpan(): Span | null {
  return recorder === null ? null : (trace.getActiveSpan() ?? null);
}

/** Returns the traceparent of the active span; null if there is none. */
export function activeTraceparent(): string | null {
  const span = activeSpan();
  return span === null ? null : traceparentOf(span);
}

/** Returns the traceparent of a span; null if tracing is off. */
export function traceparentOf(span: Span): string | null {
  const carrier: Record<string, string> = {};
  recorder?.propagator.inject(trace.setSpan(ROOT_CONTEXT, span), carrier, defaultTextMapSetter);
  return carrier[TRACEPARENT] ?? null;
}

/** Returns the trace context in a traceparent; an empty context if the traceparent is invalid or absent. */
function extractContext(traceparent: string | null | undefined, { propagator }: Recorder): Context {
  if (!isTraceparent(traceparent)) return ROOT_CONTEXT;
  return propagator.extract(ROOT_CONTEXT, { [TRACEPARENT]: traceparent }, defaultTextMapGetter);
}

/** Returns the trace ID for log lines; undefined if there is no active span. */
export function activeTraceId(): string | undefined {
  return activeSpan()?.spanContext().traceId;
}

/** Starts a child span, for work that {@link withSpan} can't wrap. The calling code must end the span. Returns null if tracing is off. */
export function startSpanBelow(
  parent: Span,
  name: string,
  kind: SpanKind,
  attributes: Attributes = {},
): Span | null {
  return recorder === null ? null : startSpan(trace.setSpan(ROOT_CONTEXT, parent), name, kind, attributes);
}

/**
 * Runs `work` in a child span of the active span, or without a span if none is active.
 *
 * @example await withSpan('reconcile', SpanKind.INTERNAL, () => reconcile(tx));
 */
export function withSpan<T>(
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
  attributes?: Attributes,
): Promise<T> {
  return activeSpan() === null ? work() : runIn(startSpan(context.active(), name, kind, attributes), work);
}

/** Runs `work` in a child span of the span in `traceparent` if that span is sampled, otherwise without a trace. */
export function resumeTrace<T>(
  traceparent: string | null | undefined,
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
  attributes?: Attributes,
): Promise<T> {
  if (recorder === null) return work();
  const parent = extractContext(traceparent, recorder);
  const flags = trace.getSpanContext(parent)?.traceFlags ?? TraceFlags.NONE;
  if ((flags & TraceFlags.SAMPLED) === 0) return withoutTrace(work);
  return runIn(startSpan(parent, name, kind, attributes), work);
}

/** Runs `work` in a child span of the client's `traceparent`, or in a new trace if it is invalid or absent. */
export function startTrace<T>(
  traceparent: string,
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
): Promise<T> {
  if (recorder === null) return work();
  return runIn(startSpan(extractContext(traceparent, recorder), name, kind), work);
}

/** Runs `work` outside of the current trace, for work on behalf of several requests with different traces. */
export function withoutTrace<T>(work: () => T): T {
  return activeSpan() === null ? work() : context.with(trace.deleteSpan(context.active()), work);
}

function startSpan(
  parent: Context,
  name: string,
  kind: SpanKind,
  attributes: Attributes = {},
  startTime?: number,
): Span {
  if (recorder === null) throw new Error('tracing is off');
  return recorder.tracer.startSpan(
    name,
    { kind, attributes, ...(startTime === undefined ? {} : { startTime }) },
    parent,
  );
}

async function runIn<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const outer = context.active();
    return await context.with(
      span.isRecording() ? trace.setSpan(outer, span) : trace.deleteSpan(outer),
      work,
    );
  } catch (error) {
    recordFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Records the outcome of an HTTP request on the active span. @param status null if there was no response */
export function recordResponse(status: number | null, hasFailed: boolean): void {
  const span = activeSpan();
  if (span === null) return;
  if (status !== null) span.setAttribute('http.response.status_code', status);
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the code, type or class of an error; never its message. */
function failureTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  for (const name of ['code', 'type']) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string') return value;
  }
  return error.name;
}

/** Records on a span that the work in the span failed. A rejection is not recorded as an error of the span. */
function recordFailure(span: Span, error: unknown): void {
  span.setAttribute('error.type', failureTypeOf(error));
  if (!isRejection(error)) span.setStatus({ code: SpanStatusCode.ERROR });
}

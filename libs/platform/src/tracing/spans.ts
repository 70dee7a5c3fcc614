/**
 * Traces: what one request did, in every process that it went through, as OpenTelemetry spans. A trace begins at the gateway,
 * which also decides whether it is recorded; everybody else begins a span only under one that is. So where tracing is off, or
 * this request is not sampled, nothing is done here but a comparison.
 *
 * A span says what was done and how it went, in names of operations, tables and activities and in identifiers of resources:
 * never a body, a key, a member's reference, a parameter of SQL or the words of an error, which may quote one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ApiError } from '../api-error';
import { API_ERROR_FAILURE, COMMAND_GONE_FAILURE } from '../workflow/failures';
import { formatTraceparent, parseTraceparent } from './traceparent';

export { SpanKind };

/** What makes spans while tracing is on. */
export interface Recorder {
  readonly tracer: Tracer;
  /** Makes this the id of the next span that is started. */
  readonly chooseSpanId: (id: string) => void;
}

let recorder: Recorder | null = null;
const active = new AsyncLocalStorage<Span | null>();

/** Turns tracing on, or off with null. */
export function recordWith(made: Recorder | null): void {
  recorder = made;
}

export function isTracing(): boolean {
  return recorder !== null;
}

/** The recorded span in which this runs; null where there is none. */
export function activeSpan(): Span | null {
  return recorder === null ? null : (active.getStore() ?? null);
}

/** The active span for whoever goes on with the trace; null where nothing is recorded. */
export function activeTraceparent(): string | null {
  const span = activeSpan();
  return span === null ? null : formatTraceparent(span.spanContext());
}

/** By which the logs lead to the trace; undefined where nothing is recorded. */
export function activeTraceId(): string | undefined {
  return activeSpan()?.spanContext().traceId;
}

/** Begins a span below `parent`, for work that {@link traced} can't wrap; whoever begins it ends it. Null once tracing is off. */
export function beginSpan(
  parent: Span,
  name: string,
  kind: SpanKind,
  attributes: Attributes = {},
): Span | null {
  return recorder === null ? null : startSpan(parent, name, kind, attributes);
}

/** Does the work in a span below the active one; without one, just does it. */
export function traced<T>(
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
  attributes?: Attributes,
): Promise<T> {
  const parent = activeSpan();
  return parent === null ? work() : within(startSpan(parent, name, kind, attributes), work);
}

/** Does the work in a span below the one that `traceparent` names, if that is recorded; else in no trace. */
export function resumeTrace<T>(
  traceparent: string | null | undefined,
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
  attributes?: Attributes,
): Promise<T> {
  if (recorder === null) return work();
  const parent = parseTraceparent(traceparent);
  if (parent === null || (parent.traceFlags & TraceFlags.SAMPLED) === 0) return withoutTrace(work);
  return within(startSpan(trace.wrapSpanContext(parent), name, kind, attributes), work);
}

/** Does the work in the first span of ours: below the caller's where `traceparent` names one, else of a new trace. */
export function startTrace<T>(
  traceparent: string,
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
): Promise<T> {
  if (recorder === null) return work();
  const parent = parseTraceparent(traceparent);
  return within(startSpan(parent === null ? null : trace.wrapSpanContext(parent), name, kind), work);
}

/** Does what is done for several requests at once, and so belongs to none of their traces. */
export function withoutTrace<T>(work: () => T): T {
  return activeSpan() === null ? work() : active.run(null, work);
}

/** A span that has already ended elsewhere, and under which other spans already stand. */
export interface EndedSpan {
  readonly parent: string;
  readonly spanId: string;
  readonly name: string;
  readonly startMs: number;
  readonly attributes: Attributes;
  /** The kind of failure; null where it went well. */
  readonly failure: string | null;
}

/** Records a span that was measured where no tracer is: in a workflow's sandbox. */
export function recordEnded({ parent, spanId, name, startMs, attributes, failure }: EndedSpan): void {
  const context: SpanContext | null = parseTraceparent(parent);
  if (recorder === null || context === null) return;
  recorder.chooseSpanId(spanId);
  const span = startSpan(trace.wrapSpanContext(context), name, SpanKind.INTERNAL, attributes, startMs);
  if (failure !== null) noteFailureType(span, failure);
  span.end();
}

function startSpan(
  parent: Span | null,
  name: string,
  kind: SpanKind,
  attributes: Attributes = {},
  startTime?: number,
): Span {
  if (recorder === null) throw new Error('tracing is off');
  const context = parent === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
  return recorder.tracer.startSpan(
    name,
    { kind, attributes, ...(startTime === undefined ? {} : { startTime }) },
    context,
  );
}

async function within<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await active.run(span.isRecording() ? span : null, work);
  } catch (error) {
    noteFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Notes on the active span how the other side of HTTP answered; null where it did not. */
export function noteAnswer(status: number | null, failed: boolean): void {
  const span = activeSpan();
  if (span === null) return;
  if (status !== null) span.setAttribute('http.response.status_code', status);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Failures by which activities say no; that, like an ApiError, is part of the day's work. */
const EXPECTED: readonly string[] = [API_ERROR_FAILURE, COMMAND_GONE_FAILURE];

/** The kind of an error: its code, its type or its class, never its words. */
function failureTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  for (const name of ['code', 'type']) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string') return value;
  }
  return error.name;
}

/** Notes on the span that its work failed, and how. */
export function noteFailure(span: Span, error: unknown): void {
  const refused = error instanceof ApiError && error.code !== 'service_unavailable';
  noteFailureType(span, failureTypeOf(error), refused);
}

function noteFailureType(span: Span, type: string, expected = EXPECTED.includes(type)): void {
  span.setAttribute('error.type', type);
  if (!expected) span.setStatus({ code: SpanStatusCode.ERROR });
}

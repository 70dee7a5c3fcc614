/** Tracing for tests, which stores the spans in memory. */

import { setRecorder } from '@carecover/telemetry';
import { createRecorder } from '@carecover/telemetry/recorder';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

export interface RecordedSpans {
  /** The spans in the order in which they ended. */
  ended(): ReadableSpan[];
  /** Turns tracing off. */
  stop(): void;
}

/** Turns tracing on. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  setRecorder(createRecorder({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  return { ended: () => exporter.getFinishedSpans(), stop: () => setRecorder(null) };
}

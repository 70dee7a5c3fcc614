/** For suites: tracing turned on, with what was recorded kept in memory. */
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createRecorder } from './recorder';
import { recordWith } from './spans';

export interface RecordedSpans {
  /** In the order in which they ended. */
  ended(): ReadableSpan[];
  /** Turns tracing off. */
  stop(): void;
}

export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  recordWith(createRecorder({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  return { ended: () => exporter.getFinishedSpans(), stop: () => recordWith(null) };
}

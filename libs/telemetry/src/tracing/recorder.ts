/** Creates recorders with OpenTelemetry's SDK. The file is loaded only if tracing is on, so that other processes do not need the memory. */
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type TracerConfig } from '@opentelemetry/sdk-trace-base';
import type { Recorder } from './spans';

export interface RunningRecorder extends Recorder {
  /** Exports the remaining spans and stops the recorder. */
  shutdown(): Promise<void>;
}

/** Makes a recorder. The SDK reads the sampler (OTEL_TRACES_SAMPLER) and the limits of spans from the environment. */
export function createRecorder(config: TracerConfig): RunningRecorder {
  const provider = new BasicTracerProvider(config);
  return {
    tracer: provider.getTracer('carecover'),
    contextManager: new AsyncLocalStorageContextManager().enable(),
    propagator: new W3CTraceContextPropagator(),
    shutdown: () => provider.shutdown(),
  };
}

/**
 * Makes a recorder that exports spans to a collector, over OTLP as JSON, in batches.
 *
 * @param attributes attributes of the process; they have priority over those of OTEL_RESOURCE_ATTRIBUTES
 */
export function exportingRecorder(
  url: string,
  attributes: Readonly<Record<string, string>>,
): RunningRecorder {
  const own = resourceFromAttributes(attributes);
  return createRecorder({
    resource: detectResources({ detectors: [envDetector] }).merge(own),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
}

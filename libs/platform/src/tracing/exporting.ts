/** Spans on their way to a collector, over OTLP as JSON, in OpenTelemetry's batches and with its standard settings. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createRecorder, type RunningRecorder } from './recorder';

/** @param attributes of the process, which go before those of OTEL_RESOURCE_ATTRIBUTES */
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

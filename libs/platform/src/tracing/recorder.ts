/** What makes spans, by OpenTelemetry's SDK. Loaded only where tracing is on: a process that doesn't trace need not carry it. */
import { BasicTracerProvider, RandomIdGenerator, type TracerConfig } from '@opentelemetry/sdk-trace-base';
import type { Recorder } from './spans';

export interface RunningRecorder extends Recorder {
  /** Exports what there is, and ends. */
  shutdown(): Promise<void>;
}

/** The sampler is the one that the environment names (OTEL_TRACES_SAMPLER), as are limits on spans. */
export function createRecorder(config: Omit<TracerConfig, 'idGenerator'>): RunningRecorder {
  const random = new RandomIdGenerator();
  let chosen: string | null = null;
  const provider = new BasicTracerProvider({
    ...config,
    idGenerator: {
      generateTraceId: () => random.generateTraceId(),
      generateSpanId: () => {
        const id = chosen ?? random.generateSpanId();
        chosen = null;
        return id;
      },
    },
  });
  return {
    tracer: provider.getTracer('carecover'),
    chooseSpanId: (id) => {
      chosen = id;
    },
    shutdown: () => provider.shutdown(),
  };
}

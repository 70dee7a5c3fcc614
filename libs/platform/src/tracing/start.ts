/**
 * Tracing as a process runs it: off unless a collector is named, and then by OpenTelemetry's own SDK, which reads its standard
 * settings from the environment (the sampler, the queue, headers for the collector, resource attributes).
 *
 * Failure policy: open. Spans wait for the collector in a queue of bounded length (2,048 unless OTEL_BSP_MAX_QUEUE_SIZE says
 * otherwise) and are dropped where it is full or the collector stays away, which is logged. No request waits for the collector
 * or hears of it, and a stop waits for it a second at most.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { Stoppable } from '../lifecycle';
import type { Log } from '../log';
import { recordWith } from './spans';

/** As `COMMON_SETTINGS` reads them. */
export interface TracingSettings {
  readonly CARECOVER_ENVIRONMENT: string;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | null;
}

const LAST_EXPORT_MS = 1_000;
const LONGEST_REASON = 500;

/** Turns tracing on if a collector is named; before anything is made that is to be traced. Null where it stays off. */
export async function startTracing(
  service: string,
  settings: TracingSettings,
  log: Log,
): Promise<Stoppable | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint } = settings;
  const url = endpoint ?? (base === null ? null : `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === null) return null;
  const fallShort = (reason: string) =>
    log.warn({ reason: reason.slice(0, LONGEST_REASON) }, 'spans are not exported');
  const quiet = () => undefined;
  const logger = { error: fallShort, warn: fallShort, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });

  const { exportingRecorder } = await import('./exporting');
  const recorder = exportingRecorder(url, {
    'service.namespace': 'carecover',
    'service.name': service,
    'service.instance.id': `${service}-${process.pid}`,
    'deployment.environment.name': settings.CARECOVER_ENVIRONMENT,
  });
  recordWith(recorder);
  log.info({ collector: new URL(url).host }, 'tracing');
  return {
    async stop() {
      recordWith(null);
      const exported = recorder.shutdown().catch((error: unknown) => fallShort(String(error)));
      await Promise.race([exported, sleep(LAST_EXPORT_MS)]);
      diag.disable();
    },
  };
}

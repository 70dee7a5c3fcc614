/**
 * Starts tracing in a process: off unless a collector is configured. OpenTelemetry's SDK reads its standard settings from the
 * environment: sampler, queue, headers for the collector, resource attributes.
 *
 * Failure policy: open. Spans are dropped, with a log line, if the queue (2,048 by default) is full or the collector is unavailable.
 * Requests never wait for the collector; a stop waits at most one second.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { Log } from '../log';
import { setRecorder } from './spans';

/** The settings for tracing, which are a part of the settings `COMMON_SETTINGS` of every service. */
export interface TracingSettings {
  readonly CARECOVER_ENVIRONMENT: string;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | null;
}

const LAST_EXPORT_MS = 1_000;
const MAX_REASON_LENGTH = 500;

/**
 * Turns tracing on if a collector is configured; returns null otherwise. Call it before the creation of the clients whose requests must be
 * traced.
 */
export async function startTracing(
  service: string,
  settings: TracingSettings,
  log: Log,
): Promise<{ stop(): Promise<void> } | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint } = settings;
  const url = endpoint ?? (base === null ? null : `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === null) return null;
  const logFailure = (reason: string) =>
    log.warn({ reason: reason.slice(0, MAX_REASON_LENGTH) }, 'spans could not be exported');
  const quiet = () => undefined;
  const logger = { error: logFailure, warn: logFailure, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });

  const { exportingRecorder } = await import('./recorder');
  const recorder = exportingRecorder(url, {
    'service.namespace': 'carecover',
    'service.name': service,
    'service.instance.id': `${service}-${process.pid}`,
    'deployment.environment.name': settings.CARECOVER_ENVIRONMENT,
  });
  setRecorder(recorder);
  log.info({ collector: new URL(url).host }, 'tracing started');
  return {
    async stop() {
      setRecorder(null);
      const exported = recorder.shutdown().catch((error: unknown) => logFailure(String(error)));
      await Promise.race([exported, sleep(LAST_EXPORT_MS)]);
      diag.disable();
    },
  };
}

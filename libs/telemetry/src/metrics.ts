/** Prometheus metrics of a process: the duration of requests by operation and status, and the metrics of Node.js. */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The registry with all metrics of this process. */
export const metricsRegistry = new Registry();
let defaultsCollected = false;

/**
 * The time in milliseconds between two samples of the event loop's delay. With prom-client's default, 10 ms, an idle process executed a
 * hundred timers per second, which was half of its processor time. The metrics of the delay contain this time.
 */
const LAG_SAMPLING_MS = 100;

export class HttpMetrics {
  readonly contentType = metricsRegistry.contentType;
  private readonly duration: Histogram;

  constructor(service: string) {
    if (!defaultsCollected) {
      defaultsCollected = true;
      collectDefaultMetrics({ register: metricsRegistry, eventLoopMonitoringPrecision: LAG_SAMPLING_MS });
    }
    const known = metricsRegistry.getSingleMetric('carecover_http_request_duration_seconds');
    this.duration =
      known instanceof Histogram
        ? known
        : new Histogram({
            name: 'carecover_http_request_duration_seconds',
            help: 'Duration of requests, by operation and status of the response',
            labelNames: ['service', 'operation', 'status'],
            buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
            registers: [metricsRegistry],
          });
    this.observe = (operation, status, durationMs) =>
      this.duration.observe({ service, operation, status: String(status) }, durationMs / 1000);
  }

  readonly observe: (operation: string, status: number, durationMs: number) => void;

  /** Returns the metrics page in the text format of Prometheus. */
  text(): Promise<string> {
    return metricsRegistry.metrics();
  }
}

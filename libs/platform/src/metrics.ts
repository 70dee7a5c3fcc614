/** Prometheus metrics of a process: rate, errors and duration of each operation, beside the runtime's own. */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export const registry = new Registry();
let defaultsCollected = false;

export class HttpMetrics {
  readonly contentType = registry.contentType;
  private readonly duration: Histogram;

  constructor(service: string) {
    if (!defaultsCollected) {
      defaultsCollected = true;
      collectDefaultMetrics({ register: registry });
    }
    const known = registry.getSingleMetric('carecover_http_request_duration_seconds');
    this.duration =
      known instanceof Histogram
        ? known
        : new Histogram({
            name: 'carecover_http_request_duration_seconds',
            help: 'Duration of answered requests, by operation and status',
            labelNames: ['service', 'operation', 'status'],
            buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
            registers: [registry],
          });
    this.observe = (operation, status, durationMs) =>
      this.duration.observe({ service, operation, status: String(status) }, durationMs / 1000);
  }

  readonly observe: (operation: string, status: number, durationMs: number) => void;

  text(): Promise<string> {
    return registry.metrics();
  }
}

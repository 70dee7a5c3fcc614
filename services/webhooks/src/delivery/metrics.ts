/** What an operator watches: tries by what became of them, and how long receivers take. */
import { metricsRegistry } from '@carecover/platform';
import { Histogram } from 'prom-client';
import type { Outcome } from './sender';

const tries = new Histogram({
  name: 'carecover_webhook_try_duration_seconds',
  help: 'Duration of tries, by what became of them',
  labelNames: ['outcome'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  registers: [metricsRegistry],
});

export function observeTry({ accepted, responseStatus, durationMs }: Outcome): void {
  const outcome = accepted ? 'accepted' : responseStatus === null ? 'no_answer' : 'refused';
  tries.observe({ outcome }, durationMs / 1_000);
}

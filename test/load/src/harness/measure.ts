/** One measurement: the load generator does its work in a process of its own, while this one reads what the others use. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { News, Order } from './generator';
import { type ProcessorTime, processorTime, usedBetween } from './processor-time';

export interface Measurement {
  /** Things done in a second. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many were done while the clock ran. */
  readonly count: number;
  /** How many were done in all, warm-up included. */
  readonly used: number;
  /** By process, for each thing done; null where the system does not tell. */
  readonly processorMs: ProcessorTime | null;
}

/** The value below which this share of the sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

function startGenerator(): ChildProcess {
  return fork(join(__dirname, 'generator.js'), { execArgv: ['--disable-warning=ExperimentalWarning'] });
}

/** @throws where anything that was to be done failed, or nothing was done */
export function measure(order: Order): Promise<Measurement> {
  const generator = startGenerator();
  return new Promise((resolve, reject) => {
    let before: ProcessorTime | null = null;
    generator.on('message', (news: News) => {
      if (news.kind === 'begins') before = processorTime();
      else {
        if (news.kind === 'failed') reject(new Error(`The load failed: ${news.reason}`));
        else resolve(summarize(news, usedBetween(before, processorTime())));
        generator.disconnect();
      }
    });
    generator.once('error', reject);
    generator.once('exit', (code) =>
      reject(new Error(`The load generator ended (${code}) without a result.`)),
    );
    generator.send(order);
  });
}

function summarize(
  { elapsedMs, latencies, used }: Extract<News, { kind: 'ended' }>,
  processor: ProcessorTime | null,
): Measurement {
  const sorted = latencies.sort((a, b) => a - b);
  const count = sorted.length;
  if (count === 0) throw new Error('Nothing was done in the time given.');
  return {
    perSecond: (count * 1_000) / elapsedMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    count,
    used,
    processorMs: processor && new Map([...processor].map(([name, ms]) => [name, ms / count])),
  };
}

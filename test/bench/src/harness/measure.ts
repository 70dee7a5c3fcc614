/** Executes one measurement in a process of the load generator, and reads the processor time of the measured servers and services. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { GeneratorMessage, Order } from './generator';
import { type ProcessorTime, readProcessorTime, subtractProcessorTime } from './processor-time';

export interface Measurement {
  /** Operations per second. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The number of operations in the measurement. */
  readonly count: number;
  /** The number of operations that were executed in the measurement and its warm-up. */
  readonly used: number;
  /** The processor time per operation, by process; null if the system doesn't report it. */
  readonly processorMs: ProcessorTime | null;
}

/** Returns the value below which this share (0 to 1) of the values lies. @param sorted the values, ascending */
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

/** Executes one measurement. @throws Error if an operation failed or none was executed */
export function measure(order: Order): Promise<Measurement> {
  const generator = startGenerator();
  return new Promise((resolve, reject) => {
    let before: ProcessorTime | null = null;
    generator.on('message', (message: GeneratorMessage) => {
      if (message.kind === 'begins') before = readProcessorTime();
      else if (message.kind === 'ended') {
        const processor = subtractProcessorTime(before, readProcessorTime());
        generator.send('read');
        resolve(summarize(message, processor));
      } else {
        reject(new Error(`The load failed: ${message.reason}`));
        generator.disconnect();
      }
    });
    generator.once('error', reject);
    generator.once('exit', (code) =>
      reject(new Error(`The load generator ended with code ${code} and without a result.`)),
    );
    generator.send(order);
  });
}

function summarize(
  { elapsedMs, latencies, used }: Extract<GeneratorMessage, { kind: 'ended' }>,
  processor: ProcessorTime | null,
): Measurement {
  const sorted = latencies.sort((a, b) => a - b);
  const count = sorted.length;
  if (count === 0) throw new Error('No operation ended within the duration; increase --seconds.');
  return {
    perSecond: (count * 1_000) / elapsedMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    count,
    used,
    processorMs: processor && new Map([...processor].map(([name, ms]) => [name, ms / count])),
  };
}

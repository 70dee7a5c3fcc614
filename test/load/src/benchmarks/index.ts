/** The benchmarks by name. */
import type { Benchmark } from './benchmark';
import { gateway } from './gateway';

export const benchmarks = { gateway } as const satisfies Record<string, Benchmark>;

export function isBenchmark(name: string): name is keyof typeof benchmarks {
  return Object.hasOwn(benchmarks, name);
}

/** The benchmarks by name. */
import type { Benchmark } from './benchmark';
import { care } from './care';
import { gateway } from './gateway';

export const benchmarks = { gateway, care } as const satisfies Record<string, Benchmark>;

export function isBenchmark(name: string): name is keyof typeof benchmarks {
  return Object.hasOwn(benchmarks, name);
}

/** What a benchmark is: it prepares, measures ours beside the bare limits, and reports. */
import type { BenchStack } from '../harness/bench-stack';
import type { Size } from '../harness/size';

export type Benchmark = (stack: BenchStack, size: Size) => Promise<void>;

/** A benchmark: prepares data, measures this project and the bare limits, and prints the results. */
import type { BenchStack } from '../harness/bench-stack';
import type { Size } from '../harness/size';

export type Benchmark = (stack: BenchStack, size: Size) => Promise<void>;

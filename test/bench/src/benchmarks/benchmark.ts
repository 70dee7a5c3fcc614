/** The type of a benchmark: a function that prepares data, measures Carecover and the bare limits, and prints the results. */
import type { BenchStack } from '../harness/bench-stack';
import type { Size } from '../harness/size';

export type Benchmark = (stack: BenchStack, size: Size) => Promise<void>;

/** The program of `npm run bench -- NAME… [sizes]`, which compares important requests of Carecover with bare limits. */
import { benchmarks, isBenchmark } from './benchmarks';
import { startBenchStack } from './harness/bench-stack';
import { parseArguments, type Size, USAGE, UsageError } from './harness/size';

/** The numbers of replicas for each benchmark that needs more than one. Every benchmark that is not listed runs with one replica. */
const REPLICAS: Readonly<Record<string, readonly number[]>> = { failover: [2], replicas: [1, 2, 4] };

async function main(args: readonly string[]): Promise<void> {
  const { names, size } = parseArguments(args);
  const unknown = names.find((name) => !isBenchmark(name));
  if (names.length === 0 || unknown !== undefined) {
    throw new UsageError(`NAME must be one or more of: ${Object.keys(benchmarks).join(', ')}.`);
  }
  await run(
    names.filter((name) => !Object.hasOwn(REPLICAS, name)),
    1,
    size,
  );
  for (const [name, numbers] of Object.entries(REPLICAS)) {
    if (names.includes(name)) for (const replicas of numbers) await run([name], replicas, size);
  }
}

async function run(names: readonly string[], replicas: number, size: Size): Promise<void> {
  if (names.length === 0) return;
  const stack = await startBenchStack(replicas);
  try {
    for (const name of names) if (isBenchmark(name)) await benchmarks[name](await stack.open(name), size);
  } finally {
    await stack.stop();
  }
}

/** Runs the benchmarks that the arguments name. Sets exit code 1 if one fails. */
export async function runBenchmarks(args: readonly string[]): Promise<void> {
  try {
    await main(args);
  } catch (error) {
    const text =
      error instanceof UsageError
        ? `${error.message}\n${USAGE}`
        : error instanceof Error
          ? error.stack
          : error;
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
}

if (require.main === module) void runBenchmarks(process.argv.slice(2));

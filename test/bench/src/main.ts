/** The program of `npm run bench -- NAME… [sizes]`, which compares important requests of Carecover with bare limits. */
import { benchmarks, isBenchmark } from './benchmarks';
import { type Processes, startBenchStack } from './harness/bench-stack';
import { parseArguments, type Size, USAGE, UsageError } from './harness/size';

const USUAL: Processes = { replicas: 1, separateWorkers: false, signalDelayMs: 3_000 };

/** Returns the stacks with which a benchmark runs, one after the other. */
function stacksOf(name: string, { replicas }: Size): readonly Processes[] {
  if (name === 'failover') return [{ ...USUAL, replicas: 2 }];
  if (name === 'replicas') return replicas.map((count) => ({ ...USUAL, replicas: count }));
  // The workflows must follow within the measurement of a command, which is often shorter than the usual delay.
  if (name === 'claims' || name === 'payments') return [{ ...USUAL, signalDelayMs: 0 }];
  // The memory of an export is measured in a process that only serves requests.
  if (name === 'portfolio') return [{ ...USUAL, separateWorkers: true }];
  return [USUAL];
}

async function main(args: readonly string[]): Promise<void> {
  const known = `NAME must be one or more of: ${Object.keys(benchmarks).join(', ')}.`;
  if (args.includes('--help')) return void process.stdout.write(`${USAGE}\n${known}\n`);
  const { names, size } = parseArguments(args);
  const unknown = names.find((name) => !isBenchmark(name));
  if (names.length === 0 || unknown !== undefined) {
    throw new UsageError(known);
  }
  for (const { processes, names: sharing } of groupByStack(names, size)) await run(sharing, processes, size);
}

/** Groups benchmarks by the stack that they need, so that each stack starts once. Stacks with fewer replicas come first. */
function groupByStack(names: readonly string[], size: Size): { processes: Processes; names: string[] }[] {
  const groups = new Map<string, { processes: Processes; names: string[] }>();
  for (const name of names) {
    for (const processes of stacksOf(name, size)) {
      const key = JSON.stringify(processes);
      const group = groups.get(key) ?? { processes, names: [] };
      group.names.push(name);
      groups.set(key, group);
    }
  }
  return [...groups.values()].sort((a, b) => a.processes.replicas - b.processes.replicas);
}

async function run(names: readonly string[], processes: Processes, size: Size): Promise<void> {
  const stack = await startBenchStack(processes, size.signalsPerSecond);
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

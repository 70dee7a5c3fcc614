/** Finds amounts that grow in a cluster under a constant load: memory, file descriptors, database connections, waiting rows, workflows. */
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningClusterWorld, residentMebibytes } from '@carecover/testing/stack';
import type { Aftermath } from './aftermath';
import { listRunningWorkflows } from './running-workflows';

/** The amounts at one moment, by name, such as `claims-worker-1 MiB` or `running workflows`. */
export type Amounts = Readonly<Record<string, number>>;

export interface Growth {
  readonly name: string;
  /** The median of the second quarter of the samples. In the first quarter, caches fill. */
  readonly early: number;
  /** The median of the last quarter of the samples. */
  readonly late: number;
}

/**
 * The growth that is tolerated from the early to the late median of an amount: a share of the early median, plus a fixed number. The fixed
 * number is in MiB for memory, and a count for all other amounts.
 */
const TOLERANCE = { share: 0.15, MiB: 20, other: 40 };

/**
 * Reads the memory and the open file descriptors of each running process, and the numbers of connections, pending commands and signals,
 * outbox rows and workflows.
 */
async function measure(running: RunningClusterWorld, aftermath: Aftermath): Promise<Amounts> {
  const amounts: Record<string, number> = {};
  for (const { name, pid } of running.stack.status()) {
    if (pid === null) continue;
    amounts[`${name} MiB`] = residentMebibytes(pid);
    // Only Linux has the folder /proc.
    if (process.platform === 'linux')
      amounts[`${name} file descriptors`] = (await readdir(`/proc/${pid}/fd`)).length;
  }
  const [connections, pending, signals, unpublished, workflows] = await Promise.all([
    aftermath.countDatabaseConnections(),
    aftermath.countPendingCommands(),
    aftermath.countPendingSignals(),
    aftermath.countUnpublishedEvents(),
    listRunningWorkflows(running),
  ]);
  return {
    ...amounts,
    'database connections': connections,
    'pending commands': pending,
    'pending signals': signals,
    'rows in outboxes': unpublished,
    'running workflows': workflows.size,
  };
}

/** Measures a cluster repeatedly, `count` times with `intervalMs` milliseconds between two measurements. */
export async function measureRepeatedly(
  running: RunningClusterWorld,
  aftermath: Aftermath,
  { count, intervalMs }: { readonly count: number; readonly intervalMs: number },
): Promise<Amounts[]> {
  const samples: Amounts[] = [];
  for (let taken = 0; taken < count; taken += 1) {
    await sleep(intervalMs);
    samples.push(await measure(running, aftermath));
  }
  return samples;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Returns the medians of each amount in the second and in the last quarter of the samples. An amount that a sample lacks, because a process
 * was down, counts as 0.
 */
export function compareQuarters(samples: readonly Amounts[]): Growth[] {
  const quarter = Math.ceil(samples.length / 4);
  const names = new Set(samples.flatMap((sample) => Object.keys(sample)));
  const medianOf = (name: string, part: readonly Amounts[]) =>
    median(part.map((sample) => sample[name] ?? 0));
  return [...names].map((name) => ({
    name,
    early: medianOf(name, samples.slice(quarter, 2 * quarter)),
    late: medianOf(name, samples.slice(-quarter)),
  }));
}

/** Returns the amounts that grew by more than the tolerance. */
export function findGrowing(growths: readonly Growth[]): Growth[] {
  return growths.filter(({ name, early, late }) => {
    const slack = name.endsWith(' MiB') ? TOLERANCE.MiB : TOLERANCE.other;
    return late > early * (1 + TOLERANCE.share) + slack;
  });
}

export function formatGrowths(growths: readonly Growth[]): string {
  const rows = growths.map(
    ({ name, early, late }) => `| ${name} | ${Math.round(early)} | ${Math.round(late)} |`,
  );
  return ['| amount | second quarter, median | last quarter, median |', '| --- | --- | --- |', ...rows].join(
    '\n',
  );
}

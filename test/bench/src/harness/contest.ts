/**
 * Compares Carecover with bare limits. Carecover and each bare limit are contestants. Each round of a benchmark measures all contestants,
 * so that other load on the machine affects all of them. Results are medians over the rounds; ratios are medians of the ratios in each
 * round.
 */
import { join } from 'node:path';
import { type Measurement, measure, median } from './measure';
import { GENERATOR } from './processor-time';
import type { Size } from './size';

export interface Contestant {
  readonly name: string;
  /** The name of the driver's file in drivers/. */
  readonly driver: string;
  /** Returns the options of the driver, the module that sends the load, for one measurement with this number of connections. */
  readonly options: (connections: number) => unknown | Promise<unknown>;
  /** Whether the measured code runs in the load generator. Then the result includes the load generator's processor time. */
  readonly inGenerator?: boolean;
  /** A function that is called after a measurement with the number of prepared resources that the measurement used. */
  readonly used?: (count: number) => void;
}

export interface Cell {
  readonly connections: number;
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The processor time per operation of all processes; null if the system doesn't report it. */
  readonly processorMs: number | null;
  /** The processor time per operation by process, the largest first. */
  readonly processorShares: Readonly<Record<string, number>>;
  /** Carecover's operations per second divided by this contestant's; null for Carecover. */
  readonly ratio: number | null;
}

/** Returns the path of the module of a driver. */
export function driverPath(name: string): string {
  return join(__dirname, '../drivers', `${name}.js`);
}

const SETTLE_MS = 200;
const SMALL_SHARE_MS = 0.005;

/** Measures all contestants at each number of connections. The first contestant must be Carecover. */
export async function compareContestants(contestants: readonly Contestant[], size: Size): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const connections of size.connections) {
    const rounds: Measurement[][] = [];
    for (let round = 0; round < size.rounds; round++) {
      rounds.push(await playRound(contestants, connections, size, round));
    }
    cells.push(...contestants.map((each, index) => summarize(each, index, connections, rounds)));
  }
  return cells;
}

async function playRound(
  contestants: readonly Contestant[],
  connections: number,
  size: Size,
  round: number,
): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const { driver, options, used, name } of contestants) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    process.stderr.write(`… ${name}, ${connections} connections, round ${round + 1} of ${size.rounds}\n`);
    const measurement = await measure({
      driver: driverPath(driver),
      options: await options(connections),
      connections,
      warmUpMs: size.warmUpSeconds * 1_000,
      measureMs: size.seconds * 1_000,
    });
    used?.(measurement.used);
    measured.push(measurement);
  }
  return measured;
}

/** Returns the medians of one contestant over all rounds. Processes with a very small share of the processor time are omitted. */
function summarize(
  { name, inGenerator = false }: Contestant,
  index: number,
  connections: number,
  rounds: readonly (readonly Measurement[])[],
): Cell {
  const own = rounds.map((round) => round[index]).filter((each) => each !== undefined);
  const medianOf = (pick: (measurement: Measurement) => number) => median(own.map(pick));
  const names = new Set(own.flatMap(({ processorMs }) => [...(processorMs?.keys() ?? [])]));
  const shares = [...names]
    .map((process) => [process, medianOf(({ processorMs }) => processorMs?.get(process) ?? 0)] as const)
    .filter(([process, ms]) => (inGenerator || process !== GENERATOR) && ms >= SMALL_SHARE_MS)
    .sort(([, a], [, b]) => b - a);
  return {
    connections,
    name,
    perSecond: medianOf(({ perSecond }) => perSecond),
    p50Ms: medianOf(({ p50Ms }) => p50Ms),
    p99Ms: medianOf(({ p99Ms }) => p99Ms),
    processorMs: names.size === 0 ? null : shares.reduce((sum, [, ms]) => sum + ms, 0),
    processorShares: Object.fromEntries(shares),
    ratio:
      index === 0
        ? null
        : median(rounds.map((round) => (round[0]?.perSecond ?? 0) / (round[index]?.perSecond ?? 0))),
  };
}

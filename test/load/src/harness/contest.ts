/**
 * Ours beside its bare limits: rounds in which each is measured in turn, so that whatever else the machine does meanwhile
 * hits all of them. What is told is the median over the rounds, and of a ratio the median of the rounds' ratios.
 */
import { join } from 'node:path';
import { type Measurement, measure, median } from './measure';
import { GENERATOR } from './processor-time';
import type { Size } from './size';

export interface Contestant {
  readonly name: string;
  /** The driver's name, as in drivers/. */
  readonly driver: string;
  /** The driver's options for one measurement. */
  readonly options: (connections: number) => unknown | Promise<unknown>;
  /** Whether what is measured runs in the load generator itself, whose processor time then counts. */
  readonly inGenerator?: boolean;
  /** Told how much of what was prepared has been used up. */
  readonly used?: (count: number) => void;
}

export interface Cell {
  readonly connections: number;
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all processes; null where the system does not tell. */
  readonly processorMs: number | null;
  /** The same by process, the largest first. */
  readonly processorShares: Readonly<Record<string, number>>;
  /** What ours does a second as a share of what this one does; null for ours itself. */
  readonly ratio: number | null;
}

/** Where the driver of this name is. */
export function driverPath(name: string): string {
  return join(__dirname, '../drivers', `${name}.js`);
}

const SETTLE_MS = 200;
const SMALL_SHARE_MS = 0.005;

/** Measures all of them at each number of connections. The first one is ours. */
export async function contest(contestants: readonly Contestant[], size: Size): Promise<Cell[]> {
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

/** The medians of one contestant; processes that hardly took part are left out. */
function summarize(
  { name, inGenerator = false }: Contestant,
  index: number,
  connections: number,
  rounds: readonly (readonly Measurement[])[],
): Cell {
  const own = rounds.map((round) => round[index]).filter((each) => each !== undefined);
  const of = (pick: (measurement: Measurement) => number) => median(own.map(pick));
  const names = new Set(own.flatMap(({ processorMs }) => [...(processorMs?.keys() ?? [])]));
  const shares = [...names]
    .map((process) => [process, of(({ processorMs }) => processorMs?.get(process) ?? 0)] as const)
    .filter(([process, ms]) => (inGenerator || process !== GENERATOR) && ms >= SMALL_SHARE_MS)
    .sort(([, a], [, b]) => b - a);
  return {
    connections,
    name,
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    processorMs: names.size === 0 ? null : shares.reduce((sum, [, ms]) => sum + ms, 0),
    processorShares: Object.fromEntries(shares),
    ratio:
      index === 0
        ? null
        : median(rounds.map((round) => (round[0]?.perSecond ?? 0) / (round[index]?.perSecond ?? 0))),
  };
}

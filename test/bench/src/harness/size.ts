/** Parses the command-line arguments of a benchmark, which determine its size. */
import { parseArgs } from 'node:util';

export interface Size {
  /** The duration of each measurement in seconds. */
  readonly seconds: number;
  /** The duration in seconds of the unmeasured warm-up before each measurement. */
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly connections: readonly number[];
  /** The number of resources, such as claims, that are prepared for each measurement that consumes them. */
  readonly prepared: number;
  /** The numbers of allocations of the remittances in `payments`, ascending. */
  readonly allocations: readonly number[];
  /** The numbers of claims in the data sets of the benchmarks `growth`, `console` and `portfolio`, ascending. */
  readonly claims: readonly number[];
  /** The duration in seconds for which `growth` measures a stack without requests. */
  readonly idleSeconds: number;
  /** The numbers of replicas of each process with which `replicas` runs, ascending. */
  readonly replicas: readonly number[];
  /** The names of the processes that `failover` kills; null for all of them. */
  readonly processes: readonly string[] | null;
  /** How many signals to workflows each process of a service sends per second; 0 pauses the work of workflows. */
  readonly signalsPerSecond: number;
}

export const USAGE = `npm run bench -- NAME… [--seconds 4] [--warm-up 1] [--rounds 3] [--connections 1,8,32] [--prepared 100] [--allocations 1,10,100] [--claims 1000,100000] [--idle 60] [--replicas 1,2,4] [--processes gateway,postgresql] [--signals 20]`;

export class UsageError extends Error {}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new UsageError(`--${name} must be a number above 0, not ${text}.`);
  return value;
}

function integers(name: string, text: string): number[] {
  return text.split(',').map((each) => Math.round(positive(name, each)));
}

/** Parses the command-line arguments. @throws UsageError if an argument is not valid */
export function parseArguments(args: readonly string[]): {
  readonly names: readonly string[];
  readonly size: Size;
} {
  const { values, positionals } = read(args);
  return {
    names: positionals,
    size: {
      seconds: positive('seconds', values.seconds),
      warmUpSeconds: positive('warm-up', values['warm-up']),
      rounds: Math.round(positive('rounds', values.rounds)),
      prepared: Math.round(positive('prepared', values.prepared)),
      allocations: integers('allocations', values.allocations).sort((a, b) => a - b),
      connections: integers('connections', values.connections),
      claims: integers('claims', values.claims).sort((a, b) => a - b),
      idleSeconds: positive('idle', values.idle),
      replicas: integers('replicas', values.replicas).sort((a, b) => a - b),
      processes: values.processes?.split(',') ?? null,
      signalsPerSecond: values.signals === '0' ? 0 : Math.round(positive('signals', values.signals)),
    },
  };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '4' },
        'warm-up': { type: 'string', default: '1' },
        rounds: { type: 'string', default: '3' },
        connections: { type: 'string', default: '1,8,32' },
        prepared: { type: 'string', default: '100' },
        allocations: { type: 'string', default: '1,10,100' },
        claims: { type: 'string', default: '1000,100000' },
        idle: { type: 'string', default: '60' },
        signals: { type: 'string', default: '20' },
        replicas: { type: 'string', default: '1,2,4' },
        processes: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

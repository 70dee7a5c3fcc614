/**
 * What the processes below this one have used of the processor, by what they are, so that a benchmark can say where the time
 * goes. Read from Linux's /proc; other systems are told nothing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of processor time by the name of what used it. */
export type ProcessorTime = ReadonlyMap<string, number>;

/** The kernel counts in these, whatever its own clock. */
const TICK_MS = 10;

/** Its own share counts only where what is measured runs in it. */
export const GENERATOR = 'load generator';

const KINDS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/harness\/generator\.js/, () => GENERATOR],
  [/services\/(\w+)\/dist\/main\.js/, ([, name]) => name ?? ''],
  [/dist\/bare\/([\w-]+)\.js/, ([, name]) => name ?? ''],
  [/postgres/, () => 'postgresql'],
  [/temporal/, () => 'temporal'],
  [/nats-server/, () => 'nats'],
];

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly usedMs: number;
}

function readProcess(pid: number): Process | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It has ended since it was listed.
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // User and system time, and those of children that have ended.
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
  return { pid, parent: Number(fields[1]), usedMs: ticks * TICK_MS };
}

function nameOf(pid: number): string | null {
  let command: string;
  try {
    command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return null;
  }
  for (const [pattern, name] of KINDS) {
    const found = pattern.exec(command);
    if (found !== null) return name(found);
  }
  return null;
}

/** Null where this system does not tell. */
export function processorTime(): ProcessorTime | null {
  if (!existsSync('/proc/self/stat')) return null;
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((process) => process !== null);
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number) => {
    for (let above = parents.get(pid); above !== undefined; above = parents.get(above)) {
      if (above === process.pid) return true;
    }
    return false;
  };
  const used = new Map<string, number>();
  for (const { pid, usedMs } of processes) {
    const name = isOurs(pid) ? nameOf(pid) : null;
    if (name !== null) used.set(name, (used.get(name) ?? 0) + usedMs);
  }
  return used;
}

/** What was used between two readings. */
export function usedBetween(before: ProcessorTime | null, after: ProcessorTime | null): ProcessorTime | null {
  if (before === null || after === null) return null;
  return new Map([...after].map(([name, ms]) => [name, Math.max(0, ms - (before.get(name) ?? 0))]));
}

/**
 * Reads the processor time of all descendants of this process from /proc, by the name of the process. Only on Linux.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Processor time in milliseconds, by the name of the process. */
export type ProcessorTime = ReadonlyMap<string, number>;

/** The unit of times in /proc, in milliseconds: USER_HZ is 100 per second. */
const TICK_MS = 10;

/** The name of the load generator. Its processor time is included only if the measured code runs in it. */
export const GENERATOR = 'load generator';

const KINDS: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/harness\/generator\.js/, () => GENERATOR],
  [/services\/(\w+)\/dist\/main\.js/, ([, name]) => name ?? ''],
  [/dist\/bare\/([\w-]+)\.js ?(\w*)/, ([, name, label]) => `${name} ${label}`.trim()],
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
    // The file does not exist if the process has ended since the processes were listed. Such a process is not counted.
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Fields 14 to 17 of the file: the user and system time of the process, and those of its ended child processes.
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

/** Reads the processor time of all descendants of this process; null if the system doesn't report it. */
export function readProcessorTime(): ProcessorTime | null {
  if (!existsSync('/proc/self/stat')) return null;
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((process) => process !== null);
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const isDescendant = (pid: number) => {
    for (let above = parents.get(pid); above !== undefined; above = parents.get(above)) {
      if (above === process.pid) return true;
    }
    return false;
  };
  const used = new Map<string, number>();
  for (const { pid, usedMs } of processes) {
    const name = isDescendant(pid) ? nameOf(pid) : null;
    if (name !== null) used.set(name, (used.get(name) ?? 0) + usedMs);
  }
  return used;
}

/** Returns the processor time in milliseconds that was used between two readings, by the name of the process. */
export function subtractProcessorTime(
  before: ProcessorTime | null,
  after: ProcessorTime | null,
): ProcessorTime | null {
  if (before === null || after === null) return null;
  return new Map([...after].map(([name, ms]) => [name, Math.max(0, ms - (before.get(name) ?? 0))]));
}

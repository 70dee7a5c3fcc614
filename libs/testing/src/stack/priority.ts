/**
 * Changes the share of the processors that this process and its descendants get, so that other work on the machine disturbs a measurement
 * less. Linux divides the processors between sessions (autogroups) and inside a session by nice values; each server of a stack is a session.
 *
 * Failure policy: open. Where the system does not permit it, such as without the right to a high priority, nothing changes.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

function parentOf(pid: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    // The process has ended since it was listed.
    return undefined;
  }
}

function processesBelow(root: string): string[] {
  if (!existsSync('/proc/self/stat')) return [];
  const parents = new Map<string, string | undefined>();
  for (const pid of readdirSync('/proc')) if (/^\d+$/.test(pid)) parents.set(pid, parentOf(pid));
  return [...parents.keys()].filter((pid) => {
    let above: string | undefined = pid;
    while (above !== undefined && above !== root) above = parents.get(above);
    return above === root;
  });
}

function prioritize(pid: string, priority: number): void {
  try {
    setPriority(Number(pid), priority);
    writeFileSync(`/proc/${pid}/autogroup`, String(priority));
  } catch {
    // The system does not permit it, or the process has ended.
  }
}

/** Gives this process and its present descendants, except `others`, a high priority. */
export function raisePriority(others: readonly (number | undefined)[] = []): void {
  for (const pid of processesBelow(String(process.pid)))
    if (!others.includes(Number(pid))) prioritize(pid, constants.priority.PRIORITY_ABOVE_NORMAL);
}

/** Gives this process and its present descendants their usual priority again. */
export function restorePriority(): void {
  for (const pid of processesBelow(String(process.pid))) prioritize(pid, constants.priority.PRIORITY_NORMAL);
}

/** Measures the memory of the processes of a stack, which soak tests print. */
import { execFileSync } from 'node:child_process';
import type { TestStack } from '../servers';

const PARTS = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks', 'temporal', 'nats'] as const;

/** Returns the resident memory of a process in MiB. @throws Error if no process has this ID */
export function residentMebibytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** Returns the resident memory of each service, Temporal and NATS as text, such as `gateway 120 MiB, benefits 180 MiB, temporal 260 MiB`. */
export function describeMemory({ stack }: Pick<TestStack, 'stack'>): string {
  return PARTS.map((name) => {
    const mebibytes = stack.part(name).pids.map(residentMebibytes);
    const total = mebibytes.reduce((sum, each) => sum + each, 0);
    return `${name} ${mebibytes.length === 0 ? 'down' : `${Math.round(total)} MiB`}`;
  }).join(', ');
}

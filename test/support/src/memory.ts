/** Measures the memory of the processes of a stack, which soak tests print. */
import { execFileSync } from 'node:child_process';
import type { TestStack } from '@carecover/local/testing';

const SERVICES = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'] as const;

/** Returns the resident memory of a process in MiB. @throws Error if no process has this ID */
export function residentMebibytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** Returns the resident memory of each process as text, such as `gateway 120 MiB, benefits 180 MiB, temporal 260 MiB`. */
export function describeMemory({ stack }: Pick<TestStack, 'stack'>): string {
  const processes = [
    ...SERVICES.map((name) => ({ name, pid: stack.process(name).pid })),
    ...(['temporal', 'nats'] as const).map((name) => ({ name, pid: stack.servers[name].pid })),
  ];
  return processes
    .map(
      ({ name, pid }) =>
        `${name} ${pid === undefined ? 'down' : `${Math.round(residentMebibytes(pid))} MiB`}`,
    )
    .join(', ');
}

/** Measures the memory of the processes of a stack, which soak tests print. */
import { execFileSync } from 'node:child_process';
import type { TestStack } from '@carecover/local/testing';

const SERVICES = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'] as const;

/** Returns the resident memory of each process as text, such as `gateway 120 MiB, benefits 180 MiB, temporal 260 MiB`. */
export function describeMemory({ stack }: Pick<TestStack, 'stack'>): string {
  const pids = Object.fromEntries([
    ...SERVICES.map((name) => [name, stack.process(name).pid]),
    ...(['temporal', 'nats'] as const).map((name) => [name, stack.servers[name].pid]),
  ]);
  return Object.entries(pids)
    .map(([name, pid]) => {
      const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
      return `${name} ${Math.round(Number(kibibytes) / 1024)} MiB`;
    })
    .join(', ');
}

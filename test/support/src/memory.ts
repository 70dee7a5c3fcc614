/** What a stack's processes hold in memory, for the figures that a soak prints. */
import { execFileSync } from 'node:child_process';
import type { TestStack } from '@carecover/local/testing';

const SERVICES = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'] as const;

/** For example `gateway 120 MiB, benefits 180 MiB, temporal 260 MiB`: the resident memory of each process. */
export function memoryInWords({ stack }: Pick<TestStack, 'stack'>): string {
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

/** What a stack's processes hold in memory, for the figures that a soak prints. */
import { execFileSync } from 'node:child_process';
import type { TestStack } from '@carecover/local/testing';

/** For example `gateway 120 MiB, benefits 180 MiB, temporal 260 MiB`: the resident memory of each process. */
export function memoryInWords({ stack }: Pick<TestStack, 'stack'>): string {
  const { temporal, nats } = stack.servers;
  const pids = {
    gateway: stack.process('gateway').pid,
    care: stack.process('care').pid,
    benefits: stack.process('benefits').pid,
    claims: stack.process('claims').pid,
    payments: stack.process('payments').pid,
    webhooks: stack.process('webhooks').pid,
    temporal: temporal.pid,
    nats: nats.pid,
  };
  return Object.entries(pids)
    .map(([name, pid]) => {
      const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
      return `${name} ${Math.round(Number(kibibytes) / 1024)} MiB`;
    })
    .join(', ');
}

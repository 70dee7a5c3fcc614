/** The benchmarks by name. */
import type { Benchmark } from './benchmark';
import { bulk } from './bulk';
import { care } from './care';
import { claims } from './claims';
import { client } from './client';
import { consolePages } from './console';
import { failover } from './failover';
import { gateway } from './gateway';
import { growth } from './growth';
import { mcp } from './mcp';
import { payments } from './payments';
import { portfolio } from './portfolio';
import { replicas } from './replicas';
import { strain } from './strain';
import { webhooks } from './webhooks';

export const benchmarks = {
  gateway,
  mcp,
  care,
  claims,
  payments,
  bulk,
  webhooks,
  client,
  strain,
  growth,
  console: consolePages,
  portfolio,
  failover,
  replicas,
} as const satisfies Record<string, Benchmark>;

export function isBenchmark(name: string): name is keyof typeof benchmarks {
  return Object.hasOwn(benchmarks, name);
}

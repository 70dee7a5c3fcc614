/** Measures all reads: the time of requests to the API, and the costs of the statements that they send. */
import { open } from '../drivers/http';
import type { BenchStack } from '../harness/bench-stack';
import { percentile } from '../harness/measure';
import type { Figures } from './comparison';
import { highest, Plans } from './plans';
import { pathOf, Requests } from './requests';

/**
 * Measures each read with `count` requests, one at a time.
 *
 * @param months number of months over which the claims of the data set are distributed
 */
export async function measureReads(
  stack: BenchStack,
  months: number,
  count: number,
): Promise<Map<string, Figures>> {
  const requests = await Requests.find(stack, months);
  const plans = new Plans(stack.databaseUrl, stack.projectId);
  const figures = new Map<string, Figures>();
  try {
    for (const { name, inputs } of requests.all()) {
      const costs = [];
      for (const input of inputs) costs.push(await plans.costOf(input));
      const plan = highest(costs);
      const shots = inputs.map((input) => ({ method: 'GET' as const, path: pathOf(input) }));
      const load = await open({ ...stack.https, shots, again: true }, 1);
      const latencies: number[] = [];
      // The first request of each input only warms up and is not counted.
      for (let number = 0; number < shots.length + count; number++) {
        const startedAt = performance.now();
        await load.shoot(number);
        if (number >= shots.length) latencies.push(performance.now() - startedAt);
      }
      await load.close();
      const sorted = latencies.sort((a, b) => a - b);
      const times = { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
      figures.set(name, { ...times, pages: plan.pages, plan });
    }
  } finally {
    await plans.close();
    await requests.close();
  }
  return figures;
}

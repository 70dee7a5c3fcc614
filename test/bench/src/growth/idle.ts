/** Measures what a stack without requests costs: processor time of all processes, and statements per minute of each service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GENERATOR, readProcessorTime, subtractProcessorTime } from '../harness/processor-time';
import { formatTable, printJson } from '../harness/report';
import type { StatementCounts } from './statements';

/** Measures a stack without requests for `seconds`, and prints its processor time and statements. */
export async function measureIdle(
  statements: StatementCounts,
  claims: number,
  seconds: number,
): Promise<void> {
  await statements.reset();
  const before = readProcessorTime();
  const startedAt = performance.now();
  await sleep(seconds * 1_000);
  const elapsedMs = performance.now() - startedAt;
  const used = subtractProcessorTime(before, readProcessorTime()) ?? new Map<string, number>();
  const perMinute = new Map<string, number>();
  for (const { role, calls } of await statements.read()) {
    perMinute.set(role, (perMinute.get(role) ?? 0) + (calls * 60_000) / elapsedMs);
  }
  const names = [...new Set([...used.keys(), ...perMinute.keys()])]
    .filter((name) => name !== GENERATOR)
    .sort();
  const percentOf = (ms: number) => (ms * 100) / elapsedMs;
  const all = percentOf([...used.values()].reduce((sum, ms) => sum + ms, 0));
  const rows = names.map((name) => [
    name,
    used.has(name) ? percentOf(used.get(name) ?? 0).toFixed(2) : '',
    perMinute.has(name) ? (perMinute.get(name) ?? 0).toFixed(0) : '',
  ]);
  process.stdout.write(
    `\nWithout requests for ${Math.round(elapsedMs / 1_000)} s, with ${claims} claims: ${all.toFixed(2)} % of a processor\n` +
      `${formatTable([['process', '% of a processor', 'statements per minute'], ...rows], 0)}\n`,
  );
  printJson({
    benchmark: 'growth: idle',
    claims,
    percent: all,
    statementsPerMinute: Object.fromEntries(perMinute),
  });
}

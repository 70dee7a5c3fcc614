/**
 * Measures valuation runs over portfolios of the sizes in `--claims`: the sums, compared with SQL over the facts and with DuckDB over an
 * export; a triangle; whole exports; and how much the sums slow down concurrent writes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ValuationRunInput } from '@carecover/client';
import { generateClaims, progressOf, usualPortfolio } from '../dataset/copies';
import { kindNames } from '../dataset/kinds';
import { makeTemplates, type Templates } from '../dataset/templates';
import type { BenchStack } from '../harness/bench-stack';
import { createInOrder } from '../harness/in-parallel';
import { median } from '../harness/measure';
import { formatFigure, formatTable, printJson } from '../harness/report';
import type { Size } from '../harness/size';
import { exportClaims, FORMATS } from '../portfolio/export';
import { DIMENSIONS, sumExport, sumFacts, sumsOfRun, time, valueByRun } from '../portfolio/sums';
import { measureClosing, measureDeltas } from '../portfolio/writes';
import type { Benchmark } from './benchmark';

/**
 * The age in months of the earlier of the two measured cutoffs. This cutoff is in the middle of a month, so that a run also reads facts of
 * that month.
 */
const OLD_MONTHS = 16;
const MIB = 1024 * 1024;

/** The {@link usualPortfolio} without open claims, because sweeps would start a workflow for each copy of an open claim. */
const PORTFOLIO = {
  ...usualPortfolio,
  mix: { settled: 0.45, correctedAndSettled: 0.45, reversed: 0.05, denied: 0.05 },
};

type Row = readonly [string, ...number[]];

function print(benchmark: string, claims: number, head: readonly string[], rows: readonly Row[]): void {
  const cells = rows.map(([name, ...values]) => [
    name,
    ...values.map((value) => (Number.isNaN(value) ? '' : formatFigure(value))),
  ]);
  process.stdout.write(`\n${benchmark}, ${claims} claims\n${formatTable([[...head], ...cells], 0)}\n`);
  const asJson = rows.map(([name, ...values]) => ({
    name,
    ...Object.fromEntries(values.map((value, index) => [head[index + 1], value])),
  }));
  printJson({ benchmark: `portfolio: ${benchmark}`, claims, rows: asJson });
}

/**
 * Creates the same valuation run in each round of the measurement. Returns the median time and the last result. @throws Error if two
 * results differ
 */
async function measureRun(stack: BenchStack, input: ValuationRunInput, rounds: number) {
  const timed = [];
  for (let round = 0; round < rounds; round += 1) timed.push(await time(() => valueByRun(stack, input)));
  const [first] = timed;
  if (first === undefined) throw new Error('there is no round');
  if (timed.some(({ result }) => result.result_sha256 !== first.result.result_sha256))
    throw new Error('two runs of one request have different results');
  return { ms: median(timed.map(({ ms }) => ms)), run: first.result };
}

/**
 * Compares three ways to compute the sums at a cutoff, and prints how long the other two ways take relative to the valuation run. @throws
 * Error if their results differ
 */
async function compareSums(
  stack: BenchStack,
  valuation_at: string,
  folder: string,
  { rounds }: Size,
): Promise<readonly number[]> {
  const { ms, run } = await measureRun(
    stack,
    { valuation_at, kind: 'totals', group_by: [...DIMENSIONS] },
    rounds,
  );
  const facts = await time(() => sumFacts(stack, valuation_at));
  const path = join(folder, 'sums.parquet');
  await exportClaims(stack, run.id, FORMATS.Parquet, path);
  const exported = [];
  for (let round = 0; round < rounds; round += 1) exported.push(await time(() => sumExport(path)));
  const expected = sumsOfRun(run);
  if ([facts, ...exported].some(({ result }) => result !== expected))
    throw new Error(`The sums at ${valuation_at} differ.`);
  const exportMs = median(exported.map((each) => each.ms));
  return [ms, facts.ms, exportMs, facts.ms / ms, exportMs / ms];
}

async function measure(stack: BenchStack, templates: Templates, claims: number, folder: string, size: Size) {
  const generated = Math.max(claims - kindNames.length, kindNames.length);
  // Only the rows that valuations read are copied: those of claims, and of practitioners and payers.
  const own = { ...templates, tables: templates.tables.filter(({ name }) => name.startsWith('claims.')) };
  await generateClaims(
    stack.databaseUrl(),
    own,
    { ...PORTFOLIO, claims: generated },
    { onProgress: progressOf(claims) },
  );
  const present = new Date();
  const old = new Date(Date.UTC(present.getUTCFullYear(), present.getUTCMonth() - OLD_MONTHS, 15));
  const [presentAt, oldAt] = [present.toISOString(), old.toISOString()];

  const first = await time(() => valueByRun(stack, { valuation_at: presentAt, kind: 'totals' }));
  const ages = { kind: 'totals', group_by: ['status', 'payer_reference', 'age_band'] } as const;
  const triangle = await measureRun(
    stack,
    {
      valuation_at: presentAt,
      kind: 'development',
      development: {
        origin: 'service_month',
        step: 'month',
        measures: ['claim_count', 'billed', 'payer_liability', 'remitted', 'settled', 'outstanding'],
      },
    },
    size.rounds,
  );
  const aged = (valuation_at: string) =>
    measureRun(stack, { ...ages, group_by: [...ages.group_by], valuation_at }, size.rounds);
  print(
    'sums',
    claims,
    ['request', 'run ms', 'facts ms', 'DuckDB ms', 'facts to run', 'DuckDB to run'],
    [
      ['first run, rolls up all months', first.ms],
      [`${DIMENSIONS.join(', ')}, at an old cutoff`, ...(await compareSums(stack, oldAt, folder, size))],
      [`${DIMENSIONS.join(', ')}, at the present`, ...(await compareSums(stack, presentAt, folder, size))],
      [`${ages.group_by.join(', ')}, at an old cutoff`, (await aged(oldAt)).ms],
      [`${ages.group_by.join(', ')}, at the present`, (await aged(presentAt)).ms],
      [`triangle of ${triangle.run.triangle?.origins.length} months`, triangle.ms],
    ],
  );

  const exports: Row[] = [];
  for (const [name, mediaType] of Object.entries(FORMATS)) {
    const { ms, result } = await exportClaims(stack, first.result.id, mediaType, join(folder, 'export'));
    const mib = (bytes: number | null) => (bytes === null ? Number.NaN : bytes / MIB);
    exports.push([
      name,
      ms / 1_000,
      mib(result.fileBytes),
      mib(result.serviceBytesBefore),
      mib(result.serviceBytes),
      mib(result.gatewayBytes),
    ]);
  }
  const memory = ['service MiB before', 'service MiB', 'gateway MiB'];
  print('export', claims, ['format', 'seconds', 'file MiB', ...memory], exports);
}

export const portfolio: Benchmark = async (stack, size) => {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-portfolio-'));
  try {
    // The templates of all data sets are made before the first data set is generated, because making a template reads all rows of the
    // database.
    const prepared = await createInOrder(size.claims, async (claims) => {
      const project = await stack.openProject();
      return { claims, project, templates: await makeTemplates(project) };
    });
    for (const { claims, project, templates } of prepared)
      await measure(project, templates, claims, folder, size);
  } finally {
    await rm(folder, { recursive: true });
  }
  const closing = await measureClosing(await stack.openProject(), size);
  print(
    'writers while a run per second closes the portfolio',
    8,
    ['adjudications', 'per second', 'ratio'],
    [
      ['without runs', closing.alone, Number.NaN],
      [`with ${closing.runs} runs`, closing.whileClosing, closing.ratio],
    ],
  );
  const deltas = await measureDeltas(await stack.openProject(), size.prepared * size.rounds);
  print(
    'deltas of a transaction',
    8,
    ['transaction of an adjudication', 'p50 ms', 'ratio'],
    [
      ['without deltas', deltas.withoutMs, Number.NaN],
      ['with deltas', deltas.withMs, deltas.ratio],
    ],
  );
};

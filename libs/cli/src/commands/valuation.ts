/**
 * `carecover valuation …`: executes valuation runs of a project, lists and shows valuation runs, writes triangles, and verifies a valuation
 * run against the facts.
 */
import {
  developmentMeasures,
  developmentOrigins,
  developmentSteps,
  formatInstant,
  type ValuationRun,
  type ValuationRunInput,
  validateBody,
  valuationDimensions,
  valuationRunStatuses,
} from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import {
  asOperator,
  invalidOptions,
  listOfProjects,
  logChange,
  operatorCaller,
  operatorCallers,
} from '../operator-calls';
import { integerFrom, type ListOptions, limitOption, PROJECT, parseInstantOption } from '../options';
import { colourSign, type Output, printResult, printTable } from '../output';
import { readRun, withRunOf } from '../valuation-runs';
import { addTriangle } from './triangle';

interface RunOptions {
  readonly project: string;
  readonly at: number;
  readonly effectiveThrough?: number;
  readonly groupBy?: readonly (typeof valuationDimensions)[number][];
  readonly origin?: (typeof developmentOrigins)[number];
  readonly step?: (typeof developmentSteps)[number];
  readonly measures?: readonly (typeof developmentMeasures)[number][];
  readonly json?: true;
}

/** Creates the parser of an option with several values, separated by commas. */
function listOf<const V extends string>(values: readonly V[]) {
  return (text: string): V[] =>
    text.split(',').map((part) => {
      const value = values.find((each) => each === part);
      if (value === undefined) throw new InvalidArgumentError(`Expected values of: ${values.join(', ')}.`);
      return value;
    });
}

function inputOf({ at, effectiveThrough, groupBy, origin, step, measures }: RunOptions): ValuationRunInput {
  const isTriangle = origin !== undefined || step !== undefined || measures !== undefined;
  const body = {
    valuation_at: formatInstant(at),
    ...(effectiveThrough === undefined ? {} : { effective_through: formatInstant(effectiveThrough) }),
    ...(groupBy === undefined ? {} : { group_by: [...groupBy] }),
    ...(isTriangle
      ? {
          kind: 'development',
          development: {
            origin: origin ?? 'service_month',
            step: step ?? 'month',
            measures: [...(measures ?? ['claim_count', 'billed', 'settled', 'outstanding'])],
          },
        }
      : { kind: 'totals' }),
  };
  const checked = validateBody('createValuationRun', body);
  if (!checked.ok) throw invalidOptions(checked.problems);
  return checked.value;
}

/**
 * Creates a run and executes it in this process, so that the command also works while Temporal is unavailable. The audit log gets the same
 * entry as for a run that a person creates in the console.
 */
async function execute(context: CommandContext, options: RunOptions): Promise<ValuationRun> {
  const { createPendingRun, executeValuationRun } = await import('@carecover/claims');
  const caller = await operatorCaller(context, options.project);
  const input = inputOf(options);
  await logChange(context, caller.tenant, 'valuation_run.create', 'valuation_run', {
    project_id: caller.tenant,
    kind: input.kind,
    valuation_at: input.valuation_at,
  });
  return withServiceDatabase(context, 'claims', caller.tenant, (sql) =>
    asOperator(async () => {
      const id = await createPendingRun(sql, caller, input);
      await executeValuationRun(sql, { tenant: caller.tenant, resourceId: id });
      return readRun(context, sql, caller, id);
    }),
  );
}

function printRun(output: Output, json: boolean, run: ValuationRun): void {
  if (json) {
    printResult(output, true, run);
    return;
  }
  const { totals, groups, triangle, development, group_by, ...fields } = run;
  printResult(output, false, fields);
  output.write('\ntotals\n');
  printTable(
    output,
    false,
    totals.map(({ amount, ...total }) => ({ ...total, ...amount })),
  );
  if (triangle === null) {
    output.write('\ngroups\n');
    const rows = groups.map(({ currency, claim_count, amount, ...dimensions }) => ({
      currency,
      ...Object.fromEntries(group_by.map((name) => [name, dimensions[name]])),
      claim_count,
      ...amount,
    }));
    printTable(output, false, rows);
    return;
  }
  for (const { currency, measures } of triangle.currencies)
    for (const { measure, rows } of measures) {
      output.write(`\n${measure} in ${currency}, by ${development?.origin} and valuation date\n`);
      const table = triangle.origins.map((origin, row) => ({
        origin,
        ...Object.fromEntries(triangle.valuation_dates.map((date, column) => [date, rows[row]?.[column]])),
      }));
      printTable(output, false, table);
    }
}

async function listRows(
  context: CommandContext,
  { project, limit, status }: ListOptions & { readonly status?: ValuationRun['status'] },
) {
  const { listRuns, runSummaryResource } = await import('@carecover/claims');
  const callers = await operatorCallers(context, project);
  const found = await withServiceDatabase(context, 'claims', null, (sql) =>
    listOfProjects(sql, callers, limit, (caller, page) =>
      listRuns(sql, caller, { ...page, ...(status && { status }) }, runSummaryResource),
    ),
  );
  return found.map(({ id, status, kind, valuation_at, effective_through, claims_counted, project_id }) => ({
    id,
    status,
    kind,
    valuation_at,
    effective_through,
    claims_counted,
    project_id,
  }));
}

async function verify(
  context: CommandContext,
  id: string,
  sample: number | null,
): Promise<{ claims: number }> {
  const { findRun, verifyValuationRun } = await import('@carecover/claims');
  const { differences, ...counts } = await withRunOf(context, id, async (sql, { tenant }) => {
    const run = await findRun(sql, tenant, id);
    if (run?.status !== 'ready') throw new OperatorError(`The run is not ready: it is ${run?.status}.`);
    return verifyValuationRun(sql, run, sample);
  });
  if (differences.length > 0)
    throw new OperatorError(`The run has ${differences.length} differences:\n  ${differences.join('\n  ')}`);
  return counts;
}

/**
 * Rebuilds the sums of a project. The audit entry is committed before, because a rebuild takes many transactions and can take longer than a
 * transaction may be idle.
 */
async function rebuild(context: CommandContext, project: string) {
  const { rebuildPortfolio } = await import('@carecover/claims');
  const { tenant } = await operatorCaller(context, project);
  await logChange(context, tenant, 'valuation.rebuild', project, {});
  return withServiceDatabase(context, 'claims', tenant, (sql) => rebuildPortfolio(sql, tenant));
}

interface CompareOptions {
  readonly project: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly json?: true;
}

/** Prints what changed between two cutoffs: the sums, and the claims with the largest differences. */
async function compare(
  context: CommandContext,
  { project, from, to, limit, json }: CompareOptions,
): Promise<void> {
  const { comparePortfolio } = await import('@carecover/claims');
  const caller = await operatorCaller(context, project);
  const comparison = await withServiceDatabase(context, 'claims', caller.tenant, (sql) =>
    asOperator(() => comparePortfolio(sql, caller, [from, to], limit)),
  );
  const { counted, changed, outstanding, largest } = comparison;
  const { output } = context;
  if (json === true) {
    printResult(output, true, comparison);
    return;
  }
  output.write(`from ${formatInstant(from)} to ${formatInstant(to)}, in minor units\n`);
  printResult(output, false, { 'claims before': counted.before, 'claims after': counted.after, changed });
  for (const [currency, difference] of Object.entries(outstanding))
    output.write(`outstanding in ${currency}  ${colourSign(output, signed(difference))}\n`);
  output.write('\n');
  const rows = largest.map(({ id, currency, before, after }) => ({
    claim: id,
    status:
      before?.status === after?.status ? after?.status : `${before?.status ?? '-'} > ${after?.status ?? '-'}`,
    currency,
    ...Object.fromEntries(
      COMPARED.map((name) => [name, signed((after?.[name] ?? 0) - (before?.[name] ?? 0))]),
    ),
  }));
  printTable(output, false, rows, (text) => colourSign(output, text));
}

const COMPARED = ['billed', 'payer_liability', 'remitted', 'settled', 'outstanding'] as const;

/** Formats a difference with its sign; a difference of zero as `.`. */
function signed(difference: number): string {
  return difference === 0 ? '.' : `${difference > 0 ? '+' : ''}${difference}`;
}

const DEFAULT_SAMPLE = 1_000;

export function addValuation(valuation: Command, context: CommandContext): void {
  valuation
    .command('run')
    .description(
      'value all claims of a project and print the sums in minor units; with --origin, --step or --measures, a development triangle',
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .requiredOption('--at <instant>', 'facts that were recorded by this instant count', parseInstantOption)
    .option(
      '--effective-through <instant>',
      'facts that took effect by this instant count; by default --at',
      parseInstantOption,
    )
    .option('--group-by <dimensions>', `of ${valuationDimensions.join(', ')}`, listOf(valuationDimensions))
    .addOption(new Option('--origin <period>', 'the rows of the triangle').choices(developmentOrigins))
    .addOption(new Option('--step <period>', 'the distance of its valuation dates').choices(developmentSteps))
    .option('--measures <measures>', `of ${developmentMeasures.join(', ')}`, listOf(developmentMeasures))
    .option('--json', 'print the response of GET /valuation_runs/{valuation_run_id}')
    .action(async (options: RunOptions) => {
      const run = await execute(context, options);
      printRun(context.output, options.json === true, run);
      if (run.status === 'failed') throw new OperatorError(`The run failed: ${run.failure}`);
    });
  valuation
    .command('list')
    .description('list valuation runs of a project or of all, newest first')
    .addOption(new Option('--status <status>', 'only those with this status').choices(valuationRunStatuses))
    .option(...PROJECT)
    .addOption(limitOption())
    .option('--json', 'print an array of the rows')
    .action(async (options: ListOptions & { status?: ValuationRun['status'] }) => {
      printTable(context.output, options.json === true, await listRows(context, options));
    });
  valuation
    .command('show')
    .argument('<run>', "the run's ID, vrun_…")
    .description('print a run with its sums in minor units')
    .option('--json', 'print the response of GET /valuation_runs/{valuation_run_id}')
    .action(async (id: string, { json }: { json?: true }) => {
      const run = await withRunOf(context, id, (sql, caller) => readRun(context, sql, caller, id));
      printRun(context.output, json === true, run);
    });
  addTriangle(valuation, context);
  valuation
    .command('compare')
    .description(
      'print what changed between two instants, as known at each: the differences of the sums, and of the claims, largest first',
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .requiredOption('--from <instant>', 'the earlier instant', parseInstantOption)
    .requiredOption('--to <instant>', 'the later instant', parseInstantOption)
    .addOption(limitOption())
    .option('--json', 'print {counted, changed, outstanding, largest}')
    .action((options: CompareOptions) => compare(context, options));
  valuation
    .command('verify')
    .argument('<run>', "the run's ID, vrun_…")
    .description("compute a run's result again, and compare its claims with their facts; changes nothing")
    .addOption(
      new Option('--sample <number>', 'the number of random claims')
        .argParser(integerFrom(1, 9_999_999))
        .default(DEFAULT_SAMPLE),
    )
    .option('--all', 'compare all claims of the project, and the totals')
    .option('--json', 'print {claims}')
    .action(async (id: string, { sample, all, json }: { sample: number; all?: true; json?: true }) => {
      printResult(context.output, json === true, await verify(context, id, all === true ? null : sample));
    });
  valuation
    .command('rebuild')
    .description(
      'derive the sums of a project again from the facts: deltas, and the roll-ups of closed months; results of runs do not change',
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .option('--json', 'print {claims, months}')
    .action(async ({ project, json }: { project: string; json?: true }) => {
      printResult(context.output, json === true, await rebuild(context, project));
    });
}

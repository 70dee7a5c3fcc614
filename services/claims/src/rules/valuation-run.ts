/** Computes the result of a valuation run from sums over claims: groups of sums or a development triangle. */
import {
  type DevelopmentMeasure,
  MAX_AMOUNT,
  PERIOD_MONTHS,
  VALUATION_RUN_LIMIT,
  type ValuationDimension,
  type ValuationRun,
  valuationDimensions,
} from '@carecover/contract';

/** The request of a run. Instants are epoch milliseconds. */
export interface RunRequest extends Pick<ValuationRun, 'kind' | 'development'> {
  readonly valuationAt: number;
  readonly effectiveThrough: number;
  readonly group_by: readonly ValuationDimension[];
}

/** The result of a run, with the surrogates of payers instead of their references. */
export type RunResult = Pick<ValuationRun, 'totals' | 'groups' | 'triangle'>;

/** Sums over claims of one currency: the number of claims, and amounts in minor units. */
export type RunSums = Readonly<Record<DevelopmentMeasure, bigint>>;

/** The sums of one group of claims. A dimension is null if the run does not group by it. */
export interface GroupSums {
  readonly currency: string;
  readonly dimensions: Readonly<Record<ValuationDimension, string | null>>;
  readonly sums: RunSums;
}

/**
 * What the facts recorded in one month change in the sums over the claims whose sessions start in one service month. The sums at the end of
 * a month are the totals of the changes of all months until then.
 */
export interface MonthSums {
  readonly currency: string;
  /** The first day of the month in which the billed sessions start, `YYYY-MM-DD`. */
  readonly serviceMonth: string;
  /** The first day of the month in which the facts were recorded, `YYYY-MM-DD`. */
  readonly recordedMonth: string;
  readonly sums: RunSums;
}

/** The reason why a run has no result. A new run with the same request fails for the same reason. */
export class RunFailure extends Error {}

const ZERO: RunSums = {
  claim_count: 0n,
  billed: 0n,
  payer_liability: 0n,
  patient_responsibility: 0n,
  adjustment: 0n,
  remitted: 0n,
  settled: 0n,
  outstanding: 0n,
};
const MEASURES = Object.keys(ZERO) as DevelopmentMeasure[];

function add(a: RunSums, b: RunSums): RunSums {
  return Object.fromEntries(MEASURES.map((measure) => [measure, a[measure] + b[measure]])) as RunSums;
}

function toNumber(sum: bigint, currency: string): number {
  if (sum > BigInt(MAX_AMOUNT) || sum < -BigInt(MAX_AMOUNT))
    throw new RunFailure(
      `A sum in ${currency} is above ${MAX_AMOUNT} minor units, which a JSON number cannot hold.`,
    );
  return Number(sum);
}

function toAmounts({ claim_count, ...amounts }: RunSums, currency: string) {
  return {
    claim_count: toNumber(claim_count, currency),
    amount: {
      billed: toNumber(amounts.billed, currency),
      payer_liability: toNumber(amounts.payer_liability, currency),
      patient_responsibility: toNumber(amounts.patient_responsibility, currency),
      adjustment: toNumber(amounts.adjustment, currency),
      remitted: toNumber(amounts.remitted, currency),
      settled: toNumber(amounts.settled, currency),
      outstanding: toNumber(amounts.outstanding, currency),
    },
  };
}

/** Orders texts by their code units, independent of any locale. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function totalsOf(parts: readonly { readonly currency: string; readonly sums: RunSums }[]) {
  const byCurrency = new Map<string, RunSums>();
  for (const { currency, sums } of parts)
    byCurrency.set(currency, add(byCurrency.get(currency) ?? ZERO, sums));
  return [...byCurrency]
    .filter(([, sums]) => sums.claim_count !== 0n)
    .sort(([a], [b]) => compare(a, b))
    .map(([currency, sums]) => ({ currency, ...toAmounts(sums, currency) }));
}

/**
 * Returns the result of a run of the kind totals.
 *
 * @throws RunFailure if there are more groups than a result can have, or a sum is above 2^53 - 1
 */
export function totalsResult(
  groups: readonly GroupSums[],
  groupBy: readonly ValuationDimension[],
): RunResult {
  if (groups.length > VALUATION_RUN_LIMIT.groups)
    throw new RunFailure(
      `The result has more than ${VALUATION_RUN_LIMIT.groups} groups. Use fewer dimensions in group_by.`,
    );
  const ordered = [...groups].sort(
    (a, b) =>
      compare(a.currency, b.currency) ||
      groupBy.reduce(
        (order, name) => order || compare(a.dimensions[name] ?? '', b.dimensions[name] ?? ''),
        0,
      ),
  );
  return {
    totals: totalsOf(groups),
    groups: ordered.map(({ currency, dimensions, sums }) => ({
      currency,
      ...(dimensions as Pick<ValuationRun['groups'][number], ValuationDimension>),
      ...toAmounts(sums, currency),
    })),
    triangle: null,
  };
}

/** Returns the number of the period that contains a date. Each period has `months` months; period 0 begins with the year 0. */
function periodOf(date: string, months: number): number {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return Math.floor((year * 12 + month - 1) / months);
}

/** Returns the first day of the period with the number `period`. Each period has `months` months; period 0 begins with the year 0. */
function startOf(period: number, months: number): Date {
  const start = new Date(0);
  start.setUTCFullYear(0, period * months, 1);
  return start;
}

const dateOf = (instant: Date) => instant.toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

/**
 * Returns the result of a run of the kind development: the triangle and the totals.
 *
 * @param months what each month changed in the sums per service month, up to the run's cutoffs
 * @throws RunFailure if the triangle has more periods than a result can have, or a sum is above 2^53 - 1
 */
export function triangleResult(
  months: readonly MonthSums[],
  { valuationAt, development }: Pick<RunRequest, 'valuationAt' | 'development'>,
): RunResult {
  if (development === null) throw new Error('a run without a triangle has no development');
  const originMonths = PERIOD_MONTHS[development.origin];
  const stepMonths = PERIOD_MONTHS[development.step];
  const lastDay = dateOf(new Date(valuationAt));
  const lastStep = periodOf(lastDay, stepMonths);
  const totals = totalsOf(months);
  // The triangle has no row for sessions that start after valuation_at. Claims for such sessions exist only in the sandbox, where a session
  // can be recorded as delivered before it starts.
  const origins = months
    .map(({ serviceMonth }) => periodOf(serviceMonth, originMonths))
    .filter((origin) => dateOf(startOf(origin, originMonths)) <= lastDay);
  if (origins.length === 0)
    return { totals, groups: [], triangle: { origins: [], valuation_dates: [], currencies: [] } };
  const firstOrigin = origins.reduce((a, b) => Math.min(a, b));
  const lastOrigin = origins.reduce((a, b) => Math.max(a, b));
  const firstStep = periodOf(dateOf(startOf(firstOrigin, originMonths)), stepMonths);
  const [rowCount, columnCount] = [lastOrigin - firstOrigin + 1, lastStep - firstStep + 1];
  if (Math.max(rowCount, columnCount) > VALUATION_RUN_LIMIT.periods)
    throw new RunFailure(
      `The triangle has more than ${VALUATION_RUN_LIMIT.periods} periods. Use a longer period of origin and a longer step.`,
    );
  const dates = Array.from({ length: columnCount }, (_, column) => {
    const end = dateOf(new Date(startOf(firstStep + column + 1, stepMonths).getTime() - DAY_MS));
    return end < lastDay ? end : lastDay;
  });
  const rows = Array.from({ length: rowCount }, (_, row) => ({
    number: firstOrigin + row,
    start: dateOf(startOf(firstOrigin + row, originMonths)),
  }));
  const changes = new Map<string, RunSums>();
  for (const { currency, serviceMonth, recordedMonth, sums } of months) {
    const column = Math.max(0, periodOf(recordedMonth, stepMonths) - firstStep);
    const key = `${currency} ${periodOf(serviceMonth, originMonths)} ${column}`;
    changes.set(key, add(changes.get(key) ?? ZERO, sums));
  }
  const cumulative = (currency: string, origin: number) => {
    let sums = ZERO;
    return dates.map((_, column) => {
      sums = add(sums, changes.get(`${currency} ${origin} ${column}`) ?? ZERO);
      return sums;
    });
  };
  return {
    totals,
    groups: [],
    triangle: {
      origins: rows.map(({ start }) => start),
      valuation_dates: dates,
      currencies: totals.map(({ currency }) => {
        const sums = rows.map(({ number }) => cumulative(currency, number));
        return {
          currency,
          measures: development.measures.map((measure) => ({
            measure,
            rows: rows.map(({ start }, row) =>
              dates.map((date, column) =>
                date < start ? null : toNumber(sums[row]?.[column]?.[measure] ?? 0n, currency),
              ),
            ),
          })),
        };
      }),
    },
  };
}

/** The dimensions of a sum over all claims of a currency: each dimension is null. */
export const UNGROUPED = Object.fromEntries(valuationDimensions.map((name) => [name, null])) as Record<
  ValuationDimension,
  null
>;

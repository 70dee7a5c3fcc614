/**
 * Sums over a project's claims, as known at one instant and in effect at another, from the roll-ups of closed months and from all other
 * deltas.
 */
import {
  type DevelopmentMeasure,
  VALUATION_RUN_LIMIT,
  type ValuationDimension,
  valuationDimensions,
} from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { constantText, type Db, type Fragment, type Sql, type Tx } from '@carecover/postgres';
import { AGE_LIMITS_DAYS, ageBandName } from '../rules/receivables';
import { type GroupSums, type MonthSums, type RunSums, UNGROUPED } from '../rules/valuation-run';
import { ageBandOf, type Cutoffs, isIncluded } from './portfolio';
import {
  ADDED,
  dayOf,
  deltasWhere,
  monthEndFrom,
  requireLock,
  rollUpsEnd,
  startOfMonth,
  startReading,
} from './portfolio-rollups';

const DAY_MS = 86_400_000;

/** Whether sums are read for a valuation run, of which only one at a time is computed per tenant, or for another purpose. */
export type Access = 'exclusive' | 'shared';

/**
 * Returns the first instants of the months of submission that contain the boundary between two age bands. The claims submitted in such a
 * month are in two age bands, so their sums cannot be read from the roll-ups by month.
 */
function mixedMonths(effectiveThrough: number): number[] {
  const months = AGE_LIMITS_DAYS.map((days) => startOfMonth(effectiveThrough - days * DAY_MS));
  return [...new Set(months)];
}

/**
 * SQL of roll-ups and deltas that add up to the sums at the cutoffs.
 *
 * @param rolledThrough all deltas that were recorded before this instant are in roll-ups; epoch milliseconds, null if there are no roll-ups
 * @param hasAge whether the rows have an age band
 */
function partsAt(
  db: Db,
  tenant: Tenant,
  cutoffs: Cutoffs,
  rolledThrough: number | null,
  hasAge: boolean,
): Fragment {
  const { knownAt, effectiveThrough } = cutoffs;
  const included = isIncluded(db, tenant, cutoffs);
  const age = hasAge ? ageBandOf(db, effectiveThrough) : db`null::integer`;
  const rolled = rollUpsEnd(rolledThrough, knownAt);
  if (rolled === null) return deltasWhere(db, age, included);
  const effective = Math.min(rolled, startOfMonth(effectiveThrough + 1));
  const mixed = hasAge ? mixedMonths(effectiveThrough) : [];
  const parts = [
    db`
      select currency, status, practitioner_id, payer_id, plan,
        ${hasAge ? ageBandOf(db, effectiveThrough, db`rollup.submission_month::timestamp at time zone 'UTC'`) : db`null::integer`} as age,
        service_month, submission_month, recorded_month, effective_month, ${ADDED}
      from portfolio_rollups rollup
      where rollup.project_id = ${tenant} and recorded_month < ${dayOf(monthEndFrom(rolled))}::date
        and effective_month < ${dayOf(monthEndFrom(effective))}::date
        ${mixed.length === 0 ? db`` : db`and submission_month <> all(${mixed.map(dayOf)}::date[])`}`,
    deltasWhere(db, age, db`${included} and delta.recorded_at >= ${new Date(rolled)}`),
  ];
  // The selected roll-ups end before the month of the cutoff `effectiveThrough`. This part adds the deltas that took effect in that month,
  // through the cutoff. They were recorded in that month or later, because no delta takes effect after it is recorded.
  if (effective < rolled)
    parts.push(
      deltasWhere(
        db,
        age,
        db`${included} and delta.recorded_at >= ${new Date(effective)} and delta.recorded_at < ${new Date(rolled)}
          and delta.effective_at >= ${new Date(effective)}`,
      ),
    );
  for (const month of mixed)
    parts.push(
      deltasWhere(
        db,
        age,
        db`${included} and delta.recorded_at >= ${new Date(month)} and delta.recorded_at < ${new Date(rolled)}
          and delta.effective_at < ${new Date(effective)} and claim.project_id = ${tenant}
          and claim.submitted_at >= ${new Date(month)} and claim.submitted_at < ${new Date(startOfMonth(month, 1))}`,
      ),
    );
  return parts.reduce((all, part) => db`${all} union all ${part}`);
}

type StoredSums = Readonly<Record<DevelopmentMeasure, string>>;

/** SQL of the columns of {@link StoredSums}, as texts, because they can be above 2^53 - 1. */
const SUMS = constantText(`sum(claims)::text as claim_count, sum(billed)::text as billed,
  sum(payer_liability)::text as payer_liability, sum(patient_responsibility)::text as patient_responsibility,
  sum(adjustment)::text as adjustment, sum(remitted)::text as remitted, sum(settled)::text as settled,
  sum(outstanding)::text as outstanding`);

function toSums(row: StoredSums): RunSums {
  return {
    claim_count: BigInt(row.claim_count),
    billed: BigInt(row.billed),
    payer_liability: BigInt(row.payer_liability),
    patient_responsibility: BigInt(row.patient_responsibility),
    adjustment: BigInt(row.adjustment),
    remitted: BigInt(row.remitted),
    settled: BigInt(row.settled),
    outstanding: BigInt(row.outstanding),
  };
}

/**
 * The SQL of each dimension's value. A payer's reference can name a person, so the claims have the payer's surrogate instead, and the sums too.
 */
const COLUMNS: Readonly<Record<ValuationDimension, string>> = {
  status: 'status',
  practitioner_id: 'practitioner_id',
  payer_reference: 'payer_id',
  plan: 'plan',
  service_month: "to_char(service_month, 'YYYY-MM')",
  submission_month: "to_char(submission_month, 'YYYY-MM')",
  age_band: 'age',
};

/**
 * Reads the sums of the claims as they were known at the cutoffs, in one snapshot: one row per currency and combination of the dimensions'
 * values. Combinations without a claim have no row. Returns at most one row more than a result can have: the additional row shows that the
 * result would be too large.
 *
 * @throws PortfolioBusy if `access` is `exclusive` and another transaction has this access for the tenant
 */
export async function sumGroups(
  sql: Sql,
  tenant: Tenant,
  cutoffs: Cutoffs,
  dimensionsInAnyOrder: readonly ValuationDimension[],
  access: Access,
): Promise<GroupSums[]> {
  // In one order, so that clients cause at most one text of the statement for each set of dimensions.
  const groupBy = valuationDimensions.filter((name) => dimensionsInAnyOrder.includes(name));
  const source = { tenant, cutoffs, hasAge: groupBy.includes('age_band'), access };
  const rows = await readParts(sql, source, (tx, parts) => {
    const dimensions = groupBy.map((name) => COLUMNS[name]);
    const names = ['currency', ...dimensions];
    const selected = ['currency', ...groupBy.map((name) => `${COLUMNS[name]} as ${name}`)];
    return tx<(StoredSums & { currency: string } & Partial<Record<ValuationDimension, string | number>>)[]>`
      select ${constantText(selected.join(', '))}, ${SUMS} from (${parts}) part
      group by ${constantText(names.join(', '))} having sum(claims) <> 0
      limit ${VALUATION_RUN_LIMIT.groups + 1}`;
  });
  return rows.map((row) => ({
    currency: row.currency,
    dimensions: {
      ...UNGROUPED,
      ...Object.fromEntries(
        groupBy.map((name) => [
          name,
          name === 'age_band' ? ageBandName(Number(row[name])) : String(row[name]),
        ]),
      ),
    },
    sums: toSums(row),
  }));
}

/**
 * Reads what each month's facts change in the sums per service month, up to the given cutoffs, in one snapshot.
 *
 * @throws PortfolioBusy if `access` is `exclusive` and another transaction has this access for the tenant
 */
export async function sumMonths(
  sql: Sql,
  tenant: Tenant,
  cutoffs: Cutoffs,
  access: Access,
): Promise<MonthSums[]> {
  const rows = await readParts(
    sql,
    { tenant, cutoffs, hasAge: false, access },
    (tx, parts) =>
      tx<(StoredSums & { currency: string; service_month: string; recorded_month: string })[]>`
        select currency, service_month::text as service_month, recorded_month::text as recorded_month, ${SUMS}
        from (${parts}) part group by currency, part.service_month, part.recorded_month`,
  );
  return rows.map((row) => ({
    currency: row.currency,
    serviceMonth: row.service_month,
    recordedMonth: row.recorded_month,
    sums: toSums(row),
  }));
}

/** Which sums {@link readParts} reads. */
interface SumsSource {
  readonly tenant: Tenant;
  readonly cutoffs: Cutoffs;
  readonly hasAge: boolean;
  readonly access: Access;
}

/**
 * Reads the instant through which the tenant's deltas are rolled up. Then calls `read`, in the same snapshot, with SQL of roll-ups and
 * deltas that add up to the sums.
 *
 * @throws PortfolioBusy if the access is `exclusive` and another transaction has this access for the tenant
 */
function readParts<Rows>(
  sql: Sql,
  { tenant, cutoffs, hasAge, access }: SumsSource,
  read: (tx: Tx, parts: Fragment) => PromiseLike<Rows>,
): Promise<Rows> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    if (access === 'exclusive') await requireLock(tx, tenant, 'valuation run');
    const rolledThrough = await startReading(tx, tenant);
    return read(tx, partsAt(tx, tenant, cutoffs, rolledThrough, hasAge));
  });
}

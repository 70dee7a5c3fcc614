/**
 * Sums over a project's claims, as known at one instant and in effect at another, from the roll-ups of closed months and from all other
 * deltas. A roll-up never changes, because no delta is recorded in a month that is closed. A month with many deltas is rolled up in slices,
 * so that no statement takes long.
 */
import {
  type DevelopmentMeasure,
  VALUATION_RUN_LIMIT,
  type ValuationDimension,
  valuationDimensions,
} from '@carecover/contract';
import {
  allInOrder,
  constantText,
  type Db,
  type Fragment,
  isNumberOutOfRange,
  type Sql,
  type Tenant,
  type Tx,
} from '@carecover/platform';
import { AGE_LIMITS_DAYS, ageBandName, type OutstandingSum } from '../rules/receivables';
import { type GroupSums, type MonthSums, type RunSums, UNGROUPED } from '../rules/valuation-run';
import { ageBandOf, type Cutoffs, isIncluded } from './portfolio';

const DAY_MS = 86_400_000;

/** Thrown if another transaction does the same expensive work for the tenant. Without it, waiting transactions would hold all connections. */
export class PortfolioBusy extends Error {
  override readonly name = 'PortfolioBusy';
}

/** What only one transaction at a time does for a tenant. */
type ExclusiveWork = 'roll-up' | 'valuation run';

/** Takes the tenant's lock for the work until the transaction ends, without waiting. @throws PortfolioBusy if another transaction has it */
async function requireLock(tx: Tx, tenant: Tenant, work: ExclusiveWork): Promise<void> {
  const [row] = await tx<{ is_locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext(${work}), hashtext(${tenant})) as is_locked`;
  if (row?.is_locked !== true) throw new PortfolioBusy(`another ${work} of the project is in progress`);
}

/** Whether sums are read for a valuation run, of which only one at a time is computed per tenant, or for another purpose. */
export type Access = 'exclusive' | 'shared';

/**
 * SQL for a transaction that rolls up a month or reads sums. It sets a statement timeout, and `random_page_cost` to a value for solid-state
 * disks. With PostgreSQL's default, which is for rotating disks, a query for the deltas of one month scans all claims.
 */
const setLimits = (tx: Tx) =>
  tx`select set_config('statement_timeout', '50s', true), set_config('random_page_cost', '1.1', true)`;

/** Returns the first instant of the month that is `months` months after the month of the instant `at`, in UTC; epoch milliseconds. */
function startOfMonth(at: number, months = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}

/** Returns the instant if it is the first of a month in UTC, otherwise the first instant of the next month; epoch milliseconds. */
function monthEndFrom(at: number): number {
  return startOfMonth(at) === at ? at : startOfMonth(at, 1);
}

/** SQL of the first day of the month, in UTC, that contains the instant in a column. */
const monthOf = (db: Db, column: string) =>
  db`date_trunc('month', ${constantText(column)} at time zone 'UTC')::date`;

/** The columns that are added up, which deltas and roll-ups have in common. */
const ADDED = constantText(
  'claims, outstanding_claims, billed, payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding',
);

/**
 * SQL of the deltas that meet a condition, with the same columns as roll-ups.
 *
 * @param age SQL of the age band of each delta's claim
 */
function deltasWhere(db: Db, age: Fragment, condition: Fragment): Fragment {
  return db`
    select claim.currency, delta.status, claim.practitioner_id, claim.payer_id, claim.plan, ${age} as age,
      ${monthOf(db, 'claim.service_starts_at')} as service_month, ${monthOf(db, 'claim.submitted_at')} as submission_month,
      ${monthOf(db, 'delta.recorded_at')} as recorded_month, ${monthOf(db, 'delta.effective_at')} as effective_month,
      delta.claims, delta.outstanding_claims, delta.billed, delta.payer_liability, delta.patient_responsibility, delta.adjustment,
      delta.remitted, delta.settled, delta.outstanding
    from portfolio_deltas delta join claims claim on claim.id = delta.claim_id
    where ${condition}`;
}

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
  // If a cutoff is the last millisecond of a month, the roll-up of the whole month is used.
  const rolled = Math.min(rolledThrough ?? Number.NEGATIVE_INFINITY, startOfMonth(knownAt + 1));
  if (!Number.isFinite(rolled)) return deltasWhere(db, age, included);
  const effective = Math.min(rolled, startOfMonth(effectiveThrough + 1));
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const mixed = hasAge ? mixedMonths(effectiveThrough) : [];
  const parts = [
    db`
      select currency, status, practitioner_id, payer_id, plan,
        ${hasAge ? ageBandOf(db, effectiveThrough, db`rollup.submission_month::timestamp at time zone 'UTC'`) : db`null::integer`} as age,
        service_month, submission_month, recorded_month, effective_month, ${ADDED}
      from portfolio_rollups rollup
      where rollup.project_id = ${tenant} and recorded_month < ${day(monthEndFrom(rolled))}::date
        and effective_month < ${day(monthEndFrom(effective))}::date
        ${mixed.length === 0 ? db`` : db`and submission_month <> all(${mixed.map(day)}::date[])`}`,
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

/**
 * Reads the outstanding amounts at the given cutoffs, in one snapshot: per currency and age band, for all claims together, for each
 * practitioner and for each payer. Sums of 0 are left out.
 *
 * @param claimIds the only claims that count; null for all claims of the tenant
 */
export async function sumOutstanding(
  sql: Sql,
  tenant: Tenant,
  cutoffs: Cutoffs,
  claimIds: readonly string[] | null,
  currency: string | null,
): Promise<OutstandingSum[]> {
  const rows = await readParts(
    sql,
    { tenant, cutoffs, hasAge: true, access: 'shared' },
    (tx, parts) =>
      tx<(Omit<OutstandingSum, 'amount'> & { readonly amount: string })[]>`
        select currency, practitioner_id, payer_id, age, sum(outstanding_claims)::integer as claim_count,
          sum(outstanding)::text as amount
        from (${parts}) part where (${currency}::text is null or currency = ${currency})
        group by grouping sets ((currency, age), (currency, practitioner_id, age), (currency, payer_id, age))
        having sum(outstanding) <> 0`,
    claimIds,
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
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
  claimIds: readonly string[] | null = null,
): Promise<Rows> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    if (access === 'exclusive') await requireLock(tx, tenant, 'valuation run');
    const [, [state]] = await allInOrder([
      setLimits(tx),
      tx<{ rolled_through: Date }[]>`
        select rolled_through from portfolio_rollup_states where project_id = ${tenant}`,
    ]);
    if (claimIds === null)
      return read(tx, partsAt(tx, tenant, cutoffs, state?.rolled_through.getTime() ?? null, hasAge));
    // Roll-ups do not contain claim IDs, so the sums over selected claims are read from deltas.
    const ofClaims = tx`${isIncluded(tx, tenant, cutoffs)} and claim.id = any(${[...claimIds]})`;
    return read(tx, deltasWhere(tx, ageBandOf(tx, cutoffs.effectiveThrough), ofClaims));
  });
}

/** The progress of a project's roll-ups; instants in epoch milliseconds. */
export interface RollUpState {
  /** The recorded_at of the project's first delta. */
  readonly first: number;
  readonly rolledThrough: number;
  /** Whether the slice that was rolled up is the last one of its month. */
  readonly isMonthComplete: boolean;
}

/**
 * The maximum number of deltas that one transaction rolls up, except those of one instant. It takes about five seconds on an idle machine; the
 * statement timeout is ten times as long.
 */
const SLICE_DELTAS = 300_000;

/**
 * Rolls up the tenant's next month, or its next slice if it has many deltas. The month must end by `until` (epoch milliseconds), and all
 * claims of the tenant must be closed through its end. Returns null if there is no such month. Also returns null if a sum of the slice is too
 * large for a roll-up: sums are then read from the deltas of this slice and of all later ones.
 *
 * @throws PortfolioBusy if another transaction rolls up a month of the tenant
 */
export async function rollUpNextMonth(
  sql: Sql,
  tenant: Tenant,
  until: number,
  sliceDeltas = SLICE_DELTAS,
): Promise<RollUpState | null> {
  try {
    return await rollUpSlice(sql, tenant, until, sliceDeltas);
  } catch (error) {
    if (isNumberOutOfRange(error)) return null;
    throw error;
  }
}

function rollUpSlice(
  sql: Sql,
  tenant: Tenant,
  until: number,
  sliceDeltas: number,
): Promise<RollUpState | null> {
  return sql.begin(async (tx) => {
    await setLimits(tx);
    const [found] = await tx<{ first: Date | null; closed_through: Date; rolled_through: Date | null }[]>`
      select closed_through, (select rolled_through from portfolio_rollup_states where project_id = ${tenant}) as rolled_through,
        (select recorded_at from portfolio_deltas where project_id = ${tenant} order by recorded_at limit 1) as first
      from portfolios where project_id = ${tenant}`;
    if (found?.first == null) return null;
    const first = found.first.getTime();
    const mayEnd = (month: number) =>
      startOfMonth(month, 1) <= Math.min(until, found.closed_through.getTime()) + 1;
    // Usually no month can be rolled up. So this check comes first, without a lock.
    if (!mayEnd(found.rolled_through?.getTime() ?? first)) return null;
    await requireLock(tx, tenant, 'roll-up');
    // Inserts the row of the roll-up state if it is missing, so that the next statement can lock it. The row's lock makes the roll-up and
    // a deletion of the roll-ups wait for each other. The state is read again, because another call can have stored one before it released the
    // lock.
    await tx`
      insert into portfolio_rollup_states (project_id, rolled_through) values (${tenant}, ${new Date(startOfMonth(first))})
      on conflict (project_id) do nothing`;
    const [state] = await tx<{ rolled_through: Date }[]>`
      select rolled_through from portfolio_rollup_states where project_id = ${tenant} for update`;
    if (state === undefined) return null;
    const from = state.rolled_through;
    if (!mayEnd(from.getTime())) return null;
    const month = new Date(startOfMonth(from.getTime()));
    const to = await findSliceEnd(tx, tenant, from, sliceDeltas);
    const inSlice = tx`delta.project_id = ${tenant} and delta.recorded_at >= ${from} and delta.recorded_at < ${to}`;
    await tx`
      insert into portfolio_rollups (project_id, recorded_month, effective_month, service_month, submission_month, currency, status,
        practitioner_id, payer_id, plan, ${ADDED})
      select ${tenant}, ${month.toISOString().slice(0, 10)}::date, effective_month, service_month, submission_month, currency, status,
        practitioner_id, payer_id, plan, sum(claims), sum(outstanding_claims), sum(billed), sum(payer_liability),
        sum(patient_responsibility), sum(adjustment), sum(remitted), sum(settled), sum(outstanding)
      from (${deltasWhere(tx, tx`null::integer`, inSlice)}) part
      group by effective_month, service_month, submission_month, currency, status, practitioner_id, payer_id, plan
      having (sum(claims), sum(outstanding_claims), sum(billed), sum(payer_liability), sum(patient_responsibility), sum(adjustment),
        sum(remitted), sum(settled), sum(outstanding)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)`;
    await tx`update portfolio_rollup_states set rolled_through = ${to} where project_id = ${tenant}`;
    return {
      first,
      rolledThrough: to.getTime(),
      isMonthComplete: startOfMonth(to.getTime()) === to.getTime(),
    };
  });
}

/**
 * Returns the end of the slice that starts at `from`: the recorded_at of the first delta after `sliceDeltas` deltas, otherwise the end of the
 * month. Deltas with one recorded_at are in one slice.
 */
async function findSliceEnd(tx: Tx, tenant: Tenant, from: Date, sliceDeltas: number): Promise<Date> {
  const monthEnd = new Date(startOfMonth(from.getTime(), 1));
  const [next] = await tx<{ recorded_at: Date }[]>`
    select recorded_at from portfolio_deltas
    where project_id = ${tenant} and recorded_at >= ${from} and recorded_at < ${monthEnd}
    order by recorded_at offset ${sliceDeltas} limit 1`;
  if (next === undefined) return monthEnd;
  return next.recorded_at > from ? next.recorded_at : new Date(from.getTime() + 1);
}

/** Deletes the roll-ups of the tenant. Sums are then read from deltas until the months are rolled up again. */
export async function deleteRollUps(tx: Tx, tenant: Tenant): Promise<void> {
  // Every roll-up locks the row of the roll-up state. This row is deleted first, so that a concurrent roll-up cannot store a month that
  // then remains without a state.
  await tx`delete from portfolio_rollup_states where project_id = ${tenant}`;
  await tx`delete from portfolio_rollups where project_id = ${tenant}`;
}

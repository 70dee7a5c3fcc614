/**
 * Roll-ups of a project's deltas: totals of the months that are closed. A roll-up never changes, because no delta is recorded in a closed
 * month. A month with many deltas is rolled up in slices, so that no statement takes long.
 */

import type { Tenant } from '@carecover/domain';
import {
  constantText,
  type Db,
  type Fragment,
  isNumberOutOfRange,
  type Sql,
  type Tx,
} from '@carecover/postgres';

/** Thrown if another transaction does the same expensive work for the tenant. Without it, waiting transactions would hold all connections. */
export class PortfolioBusy extends Error {
  override readonly name = 'PortfolioBusy';
}

/** What only one transaction at a time does for a tenant. */
type ExclusiveWork = 'roll-up' | 'valuation run';

/** Takes the tenant's lock for the work until the transaction ends, without waiting. @throws PortfolioBusy if another transaction has it */
export async function requireLock(tx: Tx, tenant: Tenant, work: ExclusiveWork): Promise<void> {
  const [row] = await tx<{ is_locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext(${work}), hashtext(${tenant})) as is_locked`;
  if (row?.is_locked !== true) throw new PortfolioBusy(`another ${work} of the project is in progress`);
}

/**
 * SQL for a transaction that rolls up a month or reads sums. It sets a statement timeout, and `random_page_cost` to a value for solid-state
 * disks. With PostgreSQL's default, which is for rotating disks, a query for the deltas of one month scans all claims.
 */
const setLimits = (tx: Tx) =>
  tx`select set_config('statement_timeout', '50s', true), set_config('random_page_cost', '1.1', true)`;

/** Returns the first instant of the month that is `months` months after the month of the instant `at`, in UTC; epoch milliseconds. */
export function startOfMonth(at: number, months = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}

/** Returns the instant if it is the first of a month in UTC, otherwise the first instant of the next month; epoch milliseconds. */
export function monthEndFrom(at: number): number {
  return startOfMonth(at) === at ? at : startOfMonth(at, 1);
}

/** Returns the day of an instant (epoch milliseconds) in UTC, such as `2026-03-31`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** SQL of the first day of the month, in UTC, that contains the instant in a column. */
const monthOf = (db: Db, column: string) =>
  db`date_trunc('month', ${constantText(column)} at time zone 'UTC')::date`;

/** The columns that are added up, which deltas and roll-ups have in common. */
export const ADDED = constantText(
  'claims, outstanding_claims, billed, payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding',
);

/**
 * SQL of the deltas that meet a condition, with the same columns as roll-ups.
 *
 * @param age SQL of the age band of each delta's claim
 */
export function deltasWhere(db: Db, age: Fragment, condition: Fragment): Fragment {
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
 * Starts a transaction that reads sums. Returns the instant (epoch milliseconds) through which the tenant's deltas are rolled up; null if
 * there are no roll-ups.
 */
export async function startReading(tx: Tx, tenant: Tenant): Promise<number | null> {
  const [, [state]] = await tx.pipeline([
    setLimits(tx),
    tx<{ rolled_through: Date }[]>`
      select rolled_through from portfolio_rollup_states where project_id = ${tenant}`,
  ]);
  return state?.rolled_through.getTime() ?? null;
}

/**
 * Returns the end of the roll-ups that a sum as known at `knownAt` uses: all deltas that were recorded before this instant are in them.
 * Returns null if it uses none. If `knownAt` is the last millisecond of a month, the roll-up of the whole month is used.
 */
export function rollUpsEnd(rolledThrough: number | null, knownAt: number): number | null {
  return rolledThrough === null ? null : Math.min(rolledThrough, startOfMonth(knownAt + 1));
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
    const month = startOfMonth(from.getTime());
    const to = await findSliceEnd(tx, tenant, from, sliceDeltas);
    const inSlice = tx`delta.project_id = ${tenant} and delta.recorded_at >= ${from} and delta.recorded_at < ${to}`;
    await tx`
      insert into portfolio_rollups (project_id, recorded_month, effective_month, service_month, submission_month, currency, status,
        practitioner_id, payer_id, plan, ${ADDED})
      select ${tenant}, ${dayOf(month)}::date, effective_month, service_month, submission_month, currency, status,
        practitioner_id, payer_id, plan, sum(claims), sum(outstanding_claims), sum(billed), sum(payer_liability),
        sum(patient_responsibility), sum(adjustment), sum(remitted), sum(settled), sum(outstanding)
      from (${deltasWhere(tx, tx`null::integer`, inSlice)}) part
      group by effective_month, service_month, submission_month, currency, status, practitioner_id, payer_id, plan
      having (sum(claims), sum(outstanding_claims), sum(billed), sum(payer_liability), sum(patient_responsibility), sum(adjustment),
        sum(remitted), sum(settled), sum(outstanding)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)`;
    await rollUpReceivables(tx, tenant, month, inSlice);
    await tx`update portfolio_rollup_states set rolled_through = ${to} where project_id = ${tenant}`;
    return {
      first,
      rolledThrough: to.getTime(),
      isMonthComplete: startOfMonth(to.getTime()) === to.getTime(),
    };
  });
}

/**
 * Rolls up the outstanding amounts of a slice by the day of submission, for all claims together, for each practitioner and for each payer. These
 * roll-ups have far fewer rows than those of all sums, and a day of submission is rarely in two age bands.
 */
async function rollUpReceivables(tx: Tx, tenant: Tenant, month: number, inSlice: Fragment): Promise<void> {
  await tx`
    insert into receivable_rollups (project_id, recorded_month, submission_day, currency, practitioner_id, payer_id, outstanding_claims,
      outstanding)
    select ${tenant}, ${dayOf(month)}::date, submission_day, currency, practitioner_id, payer_id, sum(outstanding_claims), sum(outstanding)
    from (
      select (claim.submitted_at at time zone 'UTC')::date as submission_day, claim.currency, claim.practitioner_id, claim.payer_id,
        delta.outstanding_claims, delta.outstanding
      from portfolio_deltas delta join claims claim on claim.id = delta.claim_id
      where ${inSlice} and (delta.outstanding_claims, delta.outstanding) <> (0, 0)
    ) part
    group by submission_day, currency, grouping sets ((), (practitioner_id), (payer_id))
    having (sum(outstanding_claims), sum(outstanding)) <> (0, 0)`;
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
  await tx`delete from receivable_rollups where project_id = ${tenant}`;
}

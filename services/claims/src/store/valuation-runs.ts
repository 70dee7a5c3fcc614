/** Rows of valuation runs, and the claims that a run counts. */
import type {
  ClaimStatus,
  Environment,
  ValuationDimension,
  ValuationRun,
  ValuationRunSummary,
} from '@carecover/contract';
import { ApiError, type Caller, type OwnedResource, type Tenant } from '@carecover/domain';
import {
  type Db,
  type Fragment,
  isOnlyDeletion,
  jsonb,
  type ListQuery,
  type ListResult,
  listPage,
  type Tx,
} from '@carecover/postgres';
import type { RunResult } from '../rules/valuation-run';
import { ageBandOf, type Cutoffs } from './portfolio';

export interface RunSummaryRow {
  readonly id: string;
  readonly project_id: Tenant;
  readonly environment: Environment;
  readonly valuation_at: Date;
  readonly effective_through: Date;
  readonly kind: ValuationRun['kind'];
  readonly group_by: ValuationDimension[];
  readonly development: ValuationRun['development'];
  readonly status: ValuationRun['status'];
  readonly progress: number;
  readonly failure: string | null;
  readonly claims_counted: number | null;
  readonly totals: RunResult['totals'] | null;
  readonly result_sha256: string | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

export interface RunRow extends RunSummaryRow {
  readonly groups: RunResult['groups'] | null;
  readonly triangle: RunResult['triangle'];
}

/** A run as it is stored. */
export interface StoredRun extends RunRow {
  /** When the run was created, by the real time. */
  readonly started_at: Date;
}

/** Returns the two cutoffs of a run: the latest recorded_at and the latest effective_at of the facts that count. */
export function cutoffsOf(run: Pick<RunRow, 'valuation_at' | 'effective_through'>): Cutoffs {
  return { knownAt: run.valuation_at.getTime(), effectiveThrough: run.effective_through.getTime() };
}

/** SQL that inserts a pending run. */
export function runInsert(db: Db, run: RunRow): Fragment {
  return db`
    insert into valuation_runs (id, project_id, environment, valuation_at, effective_through, kind, group_by, development, status, progress,
      created_at)
    values (${run.id}, ${run.project_id}, ${run.environment}, ${run.valuation_at}, ${run.effective_through}, ${run.kind},
      ${jsonb(run.group_by)}::jsonb, ${run.development === null ? null : jsonb(run.development)}::jsonb, 'pending', 0, ${run.created_at})`;
}

/**
 * Returns whether the tenant has at least `count` pending runs, and blocks other transactions that call this function for the tenant until
 * the commit. The lock is a separate SQL statement, because the count must see the runs that its previous holder committed.
 */
export async function hasPendingRuns(tx: Tx, tenant: Tenant, count: number): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtext('pending valuation runs'), hashtext(${tenant}))`;
  const rows = await tx`
    select from valuation_runs where project_id = ${tenant} and status = 'pending' offset ${count - 1} limit 1`;
  return rows.length > 0;
}

/** Reads a run of the tenant; null if there is none. */
export async function findRun(db: Db, tenant: Tenant, id: string): Promise<StoredRun | null> {
  const [row] = await db<
    StoredRun[]
  >`select * from valuation_runs where project_id = ${tenant} and id = ${id}`;
  return row ?? null;
}

/** Reads a run of the tenant without the parts of its result that can be large; null if there is none. */
export async function findRunSummary(db: Db, tenant: Tenant, id: string): Promise<RunSummaryRow | null> {
  const [row] = await db<RunSummaryRow[]>`
    select * from valuation_run_summaries where project_id = ${tenant} and id = ${id}`;
  return row ?? null;
}

/** The filters of the list of runs. */
export interface RunFilters {
  readonly status?: ValuationRun['status'];
  readonly kind?: ValuationRun['kind'];
}

/** Reads one page of the project's runs, newest first. @throws ApiError validation_failed if the cursor names no run of this list */
export function listRuns(
  db: Db,
  caller: Caller,
  query: ListQuery & RunFilters,
  toResource: (row: RunSummaryRow) => ValuationRunSummary,
): Promise<ListResult<ValuationRunSummary>> {
  const filters = [
    { column: 'status', value: query.status },
    { column: 'kind', value: query.kind },
  ];
  const listed = { table: 'valuation_run_summaries', hasSmallRows: true } as const;
  return listPage(db, caller, listed, query, filters, toResource);
}

/** Stores the progress of a pending run in percent. */
export async function setProgress(db: Db, tenant: Tenant, id: string, percent: number): Promise<void> {
  await db`
    update valuation_runs set progress = ${percent}
    where project_id = ${tenant} and id = ${id} and status = 'pending' and progress < ${percent}`;
}

/** SQL of when a run ends: in a project with simulated time at its creation, so that it does not depend on how fast the run is. */
function completedAt(db: Db): Fragment {
  return db`case when platform.is_simulated(project_id) then created_at else platform.now() end`;
}

/** Stores the result of a pending run. Does nothing if the run has ended. */
export async function setResult(
  db: Db,
  tenant: Tenant,
  id: string,
  { totals, groups, triangle }: RunResult,
  digest: string,
): Promise<void> {
  const counted = totals.reduce((sum, { claim_count }) => sum + claim_count, 0);
  await db`
    update valuation_runs set status = 'ready', progress = 100, claims_counted = ${counted}, totals = ${jsonb(totals)},
      groups = ${jsonb(groups)}, triangle = ${triangle === null ? null : jsonb(triangle)}, result_sha256 = ${digest}, completed_at = ${completedAt(db)}
    where project_id = ${tenant} and id = ${id} and status = 'pending'`;
}

/** Stores why a pending run has no result. Does nothing if the run has ended. */
export async function setFailure(db: Db, tenant: Tenant, id: string, failure: string): Promise<void> {
  await db`
    update valuation_runs set status = 'failed', failure = ${failure}, completed_at = ${completedAt(db)}
    where project_id = ${tenant} and id = ${id} and status = 'pending'`;
}

/** Reads one page of the pending runs of all tenants: up to `limit`, by ID, after `afterId`. */
export async function pendingRunsAfter(
  db: Db,
  afterId: string,
  graceS: number,
  limit: number,
): Promise<OwnedResource[]> {
  return db<OwnedResource[]>`
    select id, project_id as tenant, environment from valuation_runs
    where status = 'pending' and id > ${afterId}
      and started_at < (select platform.real_now()) - ${graceS} * interval '1 second'
    order by id limit ${limit}`;
}

/** Maximum number of runs that one statement deletes. The result of a run can have a megabyte. */
const DELETED_RUNS = 100;

/**
 * Deletes a batch of the oldest runs of projects with real time that ended more than `days` days ago, with the idempotency keys that created them: a key exists as long
 * as its resource. Returns the number of deleted runs.
 */
export async function deleteOldRuns(db: Db, days: number, batch = DELETED_RUNS): Promise<number> {
  const deleted = await db`
    with old as materialized (
      select id from valuation_runs
      where completed_at < (select platform.now()) - ${days} * interval '1 day' and not platform.is_simulated(project_id)
        and ${isOnlyDeletion(db, 'valuation_runs')}
      order by completed_at limit ${batch}
    ), keys as (
      delete from commands where operation = 'createValuationRun' and resource_id in (select id from old)
    )
    delete from valuation_runs where id in (select id from old) returning 1`;
  return deleted.length;
}

/** A claim at the cutoffs of a run. Without an adjudication, the amounts that depend on it are 0. */
export interface CountedClaim {
  readonly id: string;
  readonly created_at: Date;
  readonly currency: string;
  readonly status: ClaimStatus;
  readonly practitioner_id: string;
  readonly payer_id: string;
  readonly plan: string;
  readonly service_month: string;
  readonly submission_month: string;
  readonly age: number;
  readonly is_adjudicated: boolean;
  readonly billed: number;
  readonly payer_liability: number;
  readonly patient_responsibility: number;
  readonly adjustment: number;
  readonly remitted: number;
  readonly settled: number;
  readonly outstanding: number;
}

/**
 * SQL of the columns of a {@link CountedClaim}, in a query in which `claim` is the claim's row and `counted` is the row of
 * {@link sumsOfClaim}.
 */
function countedColumns(db: Db, { effectiveThrough }: Cutoffs): Fragment {
  return db`claim.id, claim.created_at, claim.currency, counted.status, claim.practitioner_id, claim.payer_id, claim.plan,
      to_char(claim.service_starts_at at time zone 'UTC', 'YYYY-MM') as service_month,
      to_char(claim.submitted_at at time zone 'UTC', 'YYYY-MM') as submission_month,
      ${ageBandOf(db, effectiveThrough)} as age, counted.is_adjudicated, counted.billed, counted.payer_liability,
      counted.patient_responsibility, counted.adjustment, counted.remitted, counted.settled, counted.outstanding`;
}

/**
 * SQL of the status and the amounts at the cutoffs of the row `claim`, which must be a claim of the tenant; no row if the claim was not
 * counted. There is no condition on the project, so that PostgreSQL does not choose the index over all deltas of the project.
 */
function sumsOfClaim(db: Db, { knownAt, effectiveThrough }: Cutoffs): Fragment {
  return db`select delta.status, sum(adjudicated_claims) > 0 as is_adjudicated, sum(billed)::bigint as billed,
        sum(payer_liability)::bigint as payer_liability, sum(patient_responsibility)::bigint as patient_responsibility,
        sum(adjustment)::bigint as adjustment, sum(remitted)::bigint as remitted, sum(settled)::bigint as settled,
        sum(outstanding)::bigint as outstanding
      from portfolio_deltas delta
      where delta.claim_id = claim.id and delta.recorded_at <= ${new Date(knownAt)} and delta.effective_at <= ${new Date(effectiveThrough)}
      group by delta.status having sum(claims) > 0`;
}

/** Returns the latest instant, in epoch milliseconds, at which a claim that is counted at the cutoffs can have been submitted. */
const lastSubmission = ({ knownAt, effectiveThrough }: Cutoffs) => Math.min(knownAt, effectiveThrough);

/**
 * SQL of the condition that a claim is older than the claim `last`, in the order of lists; without it, that a claim was created when counted
 * claims were: a claim is submitted when it is created.
 */
function isAfter(
  db: Db,
  cutoffs: Cutoffs,
  last: Pick<CountedClaim, 'id' | 'created_at'> | undefined,
): Fragment {
  return last === undefined
    ? db`and claim.created_at <= ${new Date(lastSubmission(cutoffs))}`
    : db`and (claim.created_at, claim.id) < (${last.created_at}, ${last.id})`;
}

/**
 * Reads claims of the tenant that a valuation run counts: those that were submitted, and known, by the run's two cutoffs. Of these, reads
 * the newest that meet a condition.
 *
 * @param condition SQL condition on the row `claim`, which starts with `and`
 */
async function readCountedClaims(
  db: Db,
  tenant: Tenant,
  cutoffs: Cutoffs,
  condition: Fragment,
  limit: number,
): Promise<CountedClaim[]> {
  return db<CountedClaim[]>`
    select ${countedColumns(db, cutoffs)}
    from claims claim cross join lateral (
      ${sumsOfClaim(db, cutoffs)}
    ) counted
    where claim.project_id = ${tenant} and claim.submitted_at <= ${new Date(lastSubmission(cutoffs))} ${condition}
    order by claim.created_at desc, claim.id desc limit ${limit}`;
}

/**
 * Reads one page of the claims that a run counted and the client can read, newest first. @throws ApiError validation_failed if the cursor
 * names no claim of the run
 */
export async function pageOfCountedClaims(
  db: Db,
  { tenant, resourceIds }: Pick<Caller, 'tenant' | 'resourceIds'>,
  cutoffs: Cutoffs,
  { limit, starting_after }: { readonly limit: number; readonly starting_after?: string },
): Promise<ListResult<CountedClaim>> {
  const visible = resourceIds === null ? db`` : db`and claim.id = any(${[...resourceIds]})`;
  let cursor: CountedClaim | undefined;
  if (starting_after !== undefined) {
    const isCursor = db`${visible} and claim.id = ${starting_after}`;
    [cursor] = await readCountedClaims(db, tenant, cutoffs, isCursor, 1);
    if (cursor === undefined)
      throw new ApiError(
        'validation_failed',
        '/query/starting_after must be the ID of a resource in this list',
      );
  }
  const condition = db`${visible} ${isAfter(db, cutoffs, cursor)}`;
  const rows = await readCountedClaims(db, tenant, cutoffs, condition, limit + 1);
  return { object: 'list', data: rows.slice(0, limit), has_more: rows.length > limit };
}

/** Reads the claims with the given IDs, except those that are not counted at the cutoffs. */
export function findCountedClaims(
  db: Db,
  tenant: Tenant,
  cutoffs: Cutoffs,
  claimIds: readonly string[],
): Promise<CountedClaim[]> {
  return readCountedClaims(db, tenant, cutoffs, db`and claim.id = any(${[...claimIds]})`, claimIds.length);
}

/** The number of claims that one SQL statement of {@link allCountedClaims} reads. The statement takes about 8 ms. */
const RANGE_CLAIMS = 500;

/**
 * Reads all claims that a run counted and the client can read, newest first, in pages. One SQL statement reads a page, so that a reader
 * that pauses holds no lock, no transaction and no connection. The claims are the same for all pages, because the run's cutoffs are final:
 * every new fact is recorded after them.
 */
export async function* allCountedClaims(
  db: Db,
  { tenant, resourceIds }: Pick<Caller, 'tenant' | 'resourceIds'>,
  cutoffs: Cutoffs,
): AsyncGenerator<CountedClaim[]> {
  const visible = resourceIds === null ? db`` : db`and claim.id = any(${[...resourceIds]})`;
  let last: Pick<CountedClaim, 'id' | 'created_at'> | undefined;
  for (;;) {
    // A claim that was not counted is in the range too, with the status null. So the limit applies to the number of claims that one
    // statement reads.
    const range = await db<
      (CountedClaim | (Pick<CountedClaim, 'id' | 'created_at'> & { readonly status: null }))[]
    >`
      select ${countedColumns(db, cutoffs)}
      from (
        select * from claims claim where project_id = ${tenant} ${visible} ${isAfter(db, cutoffs, last)}
        order by created_at desc, id desc limit ${RANGE_CLAIMS}
      ) claim left join lateral (
        ${sumsOfClaim(db, cutoffs)}
      ) counted on true
      order by claim.created_at desc, claim.id desc`;
    yield range.filter((claim): claim is CountedClaim => claim.status !== null);
    last = range.at(-1);
    if (range.length < RANGE_CLAIMS) return;
  }
}

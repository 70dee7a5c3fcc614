/** Rows of bulk jobs and of the lines of their files. */
import {
  BULK_FILE_LIMIT,
  type BulkJob,
  type BulkJobKind,
  type BulkJobResult,
  type BulkJobResultStatus,
  type BulkJobStatus,
  bulkJobKinds,
  type Environment,
  type ErrorCode,
} from '@carecover/contract';
import type { Caller, OwnedResource, Tenant } from '@carecover/domain';
import {
  type Db,
  type Fragment,
  isOnlyDeletion,
  jsonb,
  type ListQuery,
  type ListResult,
  listPage,
  type Query,
  type Tx,
} from '@carecover/postgres';

export interface JobRow {
  readonly id: string;
  readonly project_id: Tenant;
  readonly environment: Environment;
  readonly kind: BulkJobKind;
  readonly on_error: BulkJob['on_error'];
  readonly dry_run: boolean;
  readonly status: BulkJobStatus;
  readonly caller: Caller;
  readonly total: number;
  readonly succeeded: number;
  readonly replayed: number;
  readonly rejected: number;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  /** When the lines were deleted, after their retention; null while they are there. */
  readonly results_deleted_at: Date | null;
}

/** A line of a file that was received. */
export interface ReceivedLine {
  /** The line of the file at which the row starts, from 1. */
  readonly line: number;
  readonly key: string;
  readonly is_repeated: boolean;
  /** The JSON of the line; null if the row can't be read. */
  readonly content: string | null;
  /** Why the row can't be read; null if it can. */
  readonly unreadable: string | null;
}

/** A line that has no result yet. */
export interface WaitingLine {
  readonly line: number;
  readonly key: string;
  readonly is_repeated: boolean;
  /** Whether its execution was started before, and can have had an effect. */
  readonly is_started: boolean;
  readonly content: string;
}

/** The result of a line. */
export interface LineResult {
  readonly line: number;
  readonly status: Exclude<BulkJobResultStatus, 'waiting'>;
  readonly reference: string | null;
  readonly resource_id: string | null;
  readonly error_code: ErrorCode | null;
  readonly error_message: string | null;
}

export interface ResultRow extends Omit<LineResult, 'status'> {
  readonly status: BulkJobResultStatus;
}

/** Inserts a job whose file arrives. */
export async function insertJob(
  db: Db,
  job: Pick<JobRow, 'id' | 'kind' | 'on_error' | 'dry_run'>,
  caller: Caller,
): Promise<void> {
  await db`
    insert into bulk_jobs (id, project_id, environment, kind, on_error, dry_run, status, caller, total, created_at)
    values (${job.id}, ${caller.tenant}, ${caller.environment}, ${job.kind}, ${job.on_error}, ${job.dry_run}, 'receiving',
      ${jsonb(caller)}::jsonb, 0, platform.now())`;
}

/** Inserts received lines of a job, and counts them. A row that can't be read is rejected. */
export async function insertLines(
  db: Db,
  tenant: Tenant,
  jobId: string,
  lines: readonly ReceivedLine[],
): Promise<void> {
  const rejected = lines.filter(({ unreadable }) => unreadable !== null).length;
  await db`
    with job as (
      update bulk_jobs set total = total + ${lines.length}, rejected = rejected + ${rejected}
      where project_id = ${tenant} and id = ${jobId} and status = 'receiving' returning id
    )
    insert into bulk_job_lines (job_id, line, key, is_repeated, content, status, error_code, error_message)
    select job.id, line, key, is_repeated, content, case when unreadable is null then 'waiting' else 'rejected' end,
      case when unreadable is not null then 'validation_failed' end, unreadable
    from job, jsonb_to_recordset(${jsonb(lines)}) as received (line integer, key uuid, is_repeated boolean, content text, unreadable text)`;
}

/** Deletes a job whose file did not arrive, or is that of an earlier job. */
export async function deleteReceivingJob(db: Db, tenant: Tenant, id: string): Promise<void> {
  await db`delete from bulk_jobs where project_id = ${tenant} and id = ${id} and status = 'receiving'`;
}

/** Deletes jobs of all tenants whose upload started more than an hour ago and did not end. Returns their number. */
export async function deleteAbandonedJobs(db: Db): Promise<number> {
  const deleted = await db`
    delete from bulk_jobs where id in (
      select id from bulk_jobs
      where completed_at is null and status = 'receiving'
        and started_at < (select platform.real_now()) - interval '1 hour' limit 10
    ) returning 1`;
  return deleted.length;
}

/** The jobs, and their lines together, that one statement deletes results of. The lines are those of the largest file. */
const OLD_RESULTS = { jobs: 100, lines: BULK_FILE_LIMIT.lines } as const;

/**
 * Deletes the lines of jobs of all tenants with real time that ended more than `days` ago, of those that ended first. The jobs stay. Returns how many jobs
 * lost their lines.
 */
export async function deleteOldResults(db: Db, days: number): Promise<number> {
  const jobs = await db`
    with ended as (
      select id, sum(total) over (order by completed_at, id) as lines from (
        select id, total, completed_at from bulk_jobs
        where completed_at < (select platform.now()) - ${days} * interval '1 day' and results_deleted_at is null
          and not platform.is_simulated(project_id) and ${isOnlyDeletion(db, 'bulk_job_lines')}
        order by completed_at, id limit ${OLD_RESULTS.jobs}) first
    ), old as materialized (
      select id from ended where lines <= ${OLD_RESULTS.lines}
    ), lines as (
      delete from bulk_job_lines where job_id in (select id from old)
    )
    update bulk_jobs set results_deleted_at = platform.now() where id in (select id from old) returning 1`;
  return jobs.length;
}

/**
 * Returns whether the tenant has at least `count` jobs that have not ended, and blocks other transactions that call this function for the
 * tenant until the commit. The lock is a separate SQL statement, because the count must see the jobs that its previous holder committed.
 */
export async function hasOpenJobs(tx: Tx, tenant: Tenant, count: number): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtext('open bulk jobs'), hashtext(${tenant}))`;
  const rows = await tx`
    select from bulk_jobs
    where project_id = ${tenant} and completed_at is null and status <> 'receiving' offset ${count - 1} limit 1`;
  return rows.length > 0;
}

/** SQL that makes a job whose file has arrived ready for execution. */
export function acceptJob(db: Db, tenant: Tenant, id: string): Fragment {
  return db`update bulk_jobs set status = 'pending' where project_id = ${tenant} and id = ${id} and status = 'receiving'`;
}

/** Reads a job of the tenant; null if there is none. */
export async function findJob(db: Db, tenant: Tenant, id: string): Promise<JobRow | null> {
  const [row] = await db<JobRow[]>`select * from bulk_jobs where project_id = ${tenant} and id = ${id}`;
  return row ?? null;
}

/** Reads a job of the tenant and locks its row until the transaction ends; null if there is none. */
export function lockJob(tx: Tx, tenant: Tenant, id: string): Query<JobRow | null> {
  const locked = tx<JobRow[]>`select * from bulk_jobs where project_id = ${tenant} and id = ${id} for update`;
  return locked.withResult(([row]) => row ?? null);
}

/** Sets the status of a locked job that has not ended. Returns the job's row after it. */
export async function setStatus(tx: Tx, tenant: Tenant, id: string, status: BulkJobStatus): Promise<JobRow> {
  const [row] = await tx<JobRow[]>`
    update bulk_jobs set status = ${status} where project_id = ${tenant} and id = ${id} returning *`;
  if (row === undefined) throw new Error(`the job ${id} is not there under its lock`);
  return row;
}

/** Sets the consent default of the lines that are executed from now on. */
export async function setConsentDefault(
  tx: Tx,
  tenant: Tenant,
  id: string,
  consentDefault: Caller['consentDefault'],
): Promise<void> {
  await tx`
    update bulk_jobs set caller = caller || jsonb_build_object('consentDefault', ${consentDefault}::text)
    where project_id = ${tenant} and id = ${id}`;
}

/** Ends a locked job, and deletes the contents of the lines that will not be executed. Returns the job's row after it. */
export async function endJob(tx: Tx, tenant: Tenant, id: string, status: BulkJobStatus): Promise<JobRow> {
  const [, [row]] = await tx.pipeline([
    tx`
      update bulk_job_lines set content = null
      where job_id in (select id from bulk_jobs where project_id = ${tenant} and id = ${id}) and content is not null`,
    tx<JobRow[]>`
      update bulk_jobs set status = ${status}, completed_at = platform.now()
      where project_id = ${tenant} and id = ${id} returning *`,
  ]);
  if (row === undefined) throw new Error(`the job ${id} is not there under its lock`);
  return row;
}

/** The filters of the list of jobs. */
export interface JobFilters {
  readonly status?: BulkJobStatus;
  readonly kind?: BulkJobKind;
}

/** Reads one page of the project's jobs of the given kinds, newest first. @throws ApiError validation_failed if the cursor names no job of this list */
export function listJobs(
  db: Db,
  caller: Caller,
  query: ListQuery & JobFilters,
  kinds: readonly BulkJobKind[],
  toResource: (row: JobRow) => BulkJob,
): Promise<ListResult<BulkJob>> {
  const filters = [
    { column: 'status', value: query.status },
    { column: 'kind', value: query.kind },
  ];
  const ofKinds = kinds.length === bulkJobKinds.length ? db`` : db`and kind = any(${[...kinds]})`;
  return listPage(
    db,
    caller,
    { table: 'bulk_jobs', hasSmallRows: true },
    query,
    filters,
    toResource,
    ofKinds,
  );
}

/**
 * Reads the first lines of a job that have no result yet, in the order of the file: of a running job those to execute, none of which is after
 * the rejected line at which the job stops; of another job those that were started.
 */
export async function nextLines(
  db: Db,
  { project_id: tenant, id, status, on_error }: JobRow,
  limit: number,
): Promise<WaitingLine[]> {
  const ofStatus = status === 'running' ? db`` : db`and is_started`;
  const beforeRejected =
    on_error === 'continue'
      ? db``
      : db`and line < coalesce((select min(line) from bulk_job_lines where job_id = ${id} and status = 'rejected'), ${MAX_LINE})`;
  return db<WaitingLine[]>`
    select line, key, is_repeated, is_started, content from bulk_job_lines
    where job_id in (select id from bulk_jobs where project_id = ${tenant} and id = ${id}) and status = 'waiting'
      ${ofStatus} ${beforeRejected}
    order by line limit ${limit}`;
}

/**
 * Marks lines as started, unless the job was paused or cancelled meanwhile. The lock of the job is held until then, so a job whose row is
 * locked with another status has no line that starts later. Returns whether the lines are started.
 */
export async function startLines(
  db: Db,
  tenant: Tenant,
  jobId: string,
  lines: readonly number[],
): Promise<boolean> {
  const started = await db`
    with job as (
      select id from bulk_jobs where project_id = ${tenant} and id = ${jobId} and status = 'running' for share
    )
    update bulk_job_lines set is_started = true from job where job_id = job.id and line = any(${[...lines]}) returning 1`;
  return started.length > 0;
}

/** Returns whether a job has a rejected line, and all lines before it are executed. */
export async function isAtRejectedLine(db: Db, tenant: Tenant, jobId: string): Promise<boolean> {
  const [row] = await db<{ is_at: boolean }[]>`
    select coalesce(
      (select min(line) from bulk_job_lines where job_id = job.id and status = 'rejected')
        < (select coalesce(min(line), ${MAX_LINE}) from bulk_job_lines where job_id = job.id and status = 'waiting'), false) as is_at
    from bulk_jobs job where project_id = ${tenant} and id = ${jobId}`;
  return row?.is_at ?? false;
}

/** A number above that of any line. */
const MAX_LINE = 2 ** 31 - 1;

/**
 * Stores the results of lines of a locked job, and counts them. The results of lines that have one already, by another executor of the same
 * lines, are ignored.
 */
export async function storeResults(
  tx: Tx,
  tenant: Tenant,
  jobId: string,
  results: readonly LineResult[],
): Promise<void> {
  await tx`
    with stored as (
      update bulk_job_lines line set status = result.status, reference = result.reference, resource_id = result.resource_id,
        error_code = result.error_code, error_message = result.error_message, content = null
      from bulk_jobs job, jsonb_to_recordset(${jsonb(results)}) as result (line integer, status text, reference text, resource_id text,
        error_code text, error_message text)
      where job.project_id = ${tenant} and job.id = ${jobId} and line.job_id = job.id and line.line = result.line
        and line.status = 'waiting'
      returning line.status
    )
    update bulk_jobs set succeeded = succeeded + (select count(*) from stored where stored.status = 'succeeded'),
      replayed = replayed + (select count(*) from stored where stored.status = 'replayed'),
      rejected = rejected + (select count(*) from stored where stored.status = 'rejected')
    where project_id = ${tenant} and id = ${jobId}`;
}

/** Reads results of lines of a job, in the order of the file, after a line; with a status, only those that have it. */
export async function resultsAfter(
  db: Db,
  tenant: Tenant,
  jobId: string,
  afterLine: number,
  limit: number,
  status?: BulkJobResult['status'],
): Promise<ResultRow[]> {
  const ofStatus = status === undefined ? db`` : db`and status = ${status}`;
  return db<ResultRow[]>`
    select line, status, reference, resource_id, error_code, error_message from bulk_job_lines
    where job_id in (select id from bulk_jobs where project_id = ${tenant} and id = ${jobId}) and line > ${afterLine} ${ofStatus}
    order by line limit ${limit}`;
}

/** The rejected lines of a job that have one error code. */
export interface Rejections {
  readonly code: ErrorCode;
  readonly count: number;
  /** The first of these lines, and its message. */
  readonly first_line: number;
  readonly first_message: string;
}

/** Counts the rejected lines of a job by error code, most frequent first. */
export async function countRejections(db: Db, tenant: Tenant, jobId: string): Promise<Rejections[]> {
  return db<Rejections[]>`
    with counted as (
      select job_id, error_code as code, count(*)::integer as count, min(line) as first_line from bulk_job_lines
      where job_id in (select id from bulk_jobs where project_id = ${tenant} and id = ${jobId}) and status = 'rejected'
      group by job_id, error_code
    )
    select code, count, first_line, line.error_message as first_message
    from counted join bulk_job_lines line on line.job_id = counted.job_id and line.line = first_line
    order by count desc, code`;
}

/** Reads one page of the jobs of all tenants that are to be executed or ended: up to `limit`, by ID, after `afterId`. */
export async function openJobsAfter(
  db: Db,
  afterId: string,
  graceS: number,
  limit: number,
): Promise<OwnedResource[]> {
  return db<OwnedResource[]>`
    select id, project_id as tenant, environment from bulk_jobs
    where completed_at is null and status <> 'receiving' and id > ${afterId}
      and started_at < (select platform.real_now()) - ${graceS} * interval '1 second'
    order by id limit ${limit}`;
}

/** Reads bulk jobs and the results of their lines, for clients. */
import { Readable } from 'node:stream';
import { type BulkJob, type BulkJobResult, PAGE_SIZE } from '@carecover/contract';
import { ApiError, type Caller, requireResource } from '@carecover/domain';
import type { Call, FileResponse } from '@carecover/http';
import type { ListResult, Sql } from '@carecover/postgres';
import { jobResource, lineResultResource } from '../resources';
import { RESULT_CSV_HEADER, resultCsv, resultLine } from '../rules/bulk-lines';
import {
  countRejections,
  findJob,
  type JobRow,
  listJobs,
  type Rejections,
  resultsAfter,
} from '../store/bulk-jobs';
import { permittedKinds, requireKind } from './permitted-bulk-jobs';

async function requireJob(sql: Sql, caller: Caller, id: string): Promise<JobRow> {
  const job = requireResource(caller, id, await findJob(sql, caller.tenant, id));
  requireKind(caller, job.kind);
  return job;
}

/** Reads a job that has its results. @throws ApiError resource_not_found, also after their deletion; permission_denied */
async function requireResults(sql: Sql, caller: Caller, id: string): Promise<JobRow> {
  const job = await requireJob(sql, caller, id);
  if (job.results_deleted_at === null) return job;
  throw new ApiError(
    'resource_not_found',
    `The results of this job were deleted at ${job.results_deleted_at.toISOString()}, after their retention. The job has their counts.`,
  );
}

/** Lists the jobs of the kinds that the caller can use. @throws ApiError validation_failed, permission_denied */
export async function listBulkJobs(
  sql: Sql,
  { caller, query }: Call<'listBulkJobs'>,
): Promise<ListResult<BulkJob>> {
  if (query.kind !== undefined) requireKind(caller, query.kind);
  return listJobs(sql, caller, query, permittedKinds(caller), jobResource);
}

/** Reads a job. @throws ApiError resource_not_found, permission_denied */
export async function getBulkJob(sql: Sql, caller: Caller, id: string): Promise<BulkJob> {
  return jobResource(await requireJob(sql, caller, id));
}

/** Counts the rejected lines of a job by error code, most frequent first. @throws ApiError resource_not_found, permission_denied */
export async function readRejections(sql: Sql, caller: Caller, id: string): Promise<Rejections[]> {
  await requireJob(sql, caller, id);
  return countRejections(sql, caller.tenant, id);
}

/** Reads one page of the results of a job, in the order of the file. @throws ApiError resource_not_found, permission_denied */
export async function listBulkJobResults(
  sql: Sql,
  { caller, params, query }: Call<'listBulkJobResults'>,
): Promise<ListResult<BulkJobResult>> {
  const { id } = await requireResults(sql, caller, params.bulk_job_id);
  const limit = Number(query.limit ?? PAGE_SIZE.default);
  const rows = await resultsAfter(
    sql,
    caller.tenant,
    id,
    Number(query.after_line ?? 0),
    limit + 1,
    query.status,
  );
  return {
    object: 'list',
    data: rows.slice(0, limit).map(lineResultResource),
    has_more: rows.length > limit,
  };
}

/** The number of results that one SQL statement reads for a file. */
const RANGE_RESULTS = 500;

/** @throws Error if results are deleted meanwhile, so that the client does not take the part of the file for all of it */
async function* allResults(
  sql: Sql,
  { project_id: tenant, id, total }: JobRow,
): AsyncGenerator<BulkJobResult[]> {
  let last = 0;
  for (let count = 0; ; ) {
    const rows = await resultsAfter(sql, tenant, id, last, RANGE_RESULTS);
    count += rows.length;
    if (rows.length > 0) yield rows.map(lineResultResource);
    if (rows.length < RANGE_RESULTS) {
      if (count < total) throw new Error(`results of ${id} were deleted while their file was sent`);
      return;
    }
    last = rows.at(-1)?.line ?? last;
  }
}

async function* textFile(
  header: string,
  pages: AsyncIterable<readonly BulkJobResult[]>,
  toText: (result: BulkJobResult) => string,
): AsyncGenerator<string> {
  if (header !== '') yield header;
  for await (const page of pages) yield page.map(toText).join('');
}

const FILES: Readonly<
  Record<string, { readonly header: string; readonly toText: (result: BulkJobResult) => string }>
> = {
  'text/csv': { header: RESULT_CSV_HEADER, toText: resultCsv },
  'application/x-ndjson': { header: '', toText: resultLine },
};

/**
 * Returns the file of all results of a job in the given media type, which is read while it is sent. Returns null if there is no file in this
 * media type.
 *
 * @throws ApiError resource_not_found, permission_denied, validation_failed
 */
export async function openBulkJobResults(
  sql: Sql,
  { caller, params, query }: Call<'listBulkJobResults'>,
  mediaType: string | undefined,
): Promise<FileResponse | null> {
  const format = mediaType === undefined ? undefined : FILES[mediaType];
  if (mediaType === undefined || format === undefined) return null;
  const [parameter] = Object.keys(query);
  if (parameter !== undefined)
    throw new ApiError(
      'validation_failed',
      `/query/${parameter} must be absent, because a file has no pages.`,
    );
  const job = await requireResults(sql, caller, params.bulk_job_id);
  const text = textFile(format.header, allResults(sql, job), format.toText);
  return { status: 200, mediaType, stream: Readable.from(text, { objectMode: false }) };
}

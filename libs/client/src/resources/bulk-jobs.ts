/** The client's methods for bulk jobs. */
import type { BulkJob, BulkJobId, BulkJobResult } from '../generated/types.ts';
import type { CallOptions, Transport, UploadedFile } from '../transport.ts';
import type { StatusQuery } from './queries.ts';

export interface BulkJobQuery extends StatusQuery<BulkJob['status']> {
  readonly kind?: BulkJob['kind'];
}

export interface BulkJobInput {
  /** What each line of the file is. */
  readonly kind: BulkJob['kind'];
  /** Whether the job continues or stops after a rejected line; by default it continues. */
  readonly on_error?: BulkJob['on_error'];
  /** Whether the job only decides each line, and writes nothing; by default false. */
  readonly dry_run?: boolean;
}

export interface BulkJobResultQuery {
  readonly limit?: number;
  /** Selects the results of lines after this line of the file. */
  readonly after_line?: number;
  readonly status?: BulkJobResult['status'];
}

export const bulkJobs = (transport: Transport) => ({
  list: (query: BulkJobQuery = {}, options?: CallOptions) => transport.list('listBulkJobs', query, options),

  /**
   * Uploads a file whose lines are then executed. Call `retrieve` until the status is completed, stopped or cancelled. Pass an idempotency key
   * of your own to send the same file again without a second job.
   */
  create: ({ dry_run, ...input }: BulkJobInput, file: UploadedFile, options?: CallOptions) =>
    transport.call(
      'createBulkJob',
      { query: { ...input, ...(dry_run === undefined ? {} : { dry_run: String(dry_run) }) }, file },
      options,
    ),

  retrieve: (id: BulkJobId, options?: CallOptions) =>
    transport.call('getBulkJob', { params: { bulk_job_id: id } }, options),

  /** Reads one page of the results of the lines, in the order of the file. The next page is the one after the line of the last result. */
  results: (id: BulkJobId, query: BulkJobResultQuery = {}, options?: CallOptions) =>
    transport.call('listBulkJobResults', { params: { bulk_job_id: id }, query: { ...query } }, options),

  pause: (id: BulkJobId, options?: CallOptions) =>
    transport.call('pauseBulkJob', { params: { bulk_job_id: id } }, options),

  continue: (id: BulkJobId, options?: CallOptions) =>
    transport.call('continueBulkJob', { params: { bulk_job_id: id } }, options),

  cancel: (id: BulkJobId, options?: CallOptions) =>
    transport.call('cancelBulkJob', { params: { bulk_job_id: id } }, options),
});

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
  /**
   * Lists the bulk jobs, newest first.
   *
   * @example
   * for await (const { id, counts } of carecover.bulkJobs.list({ status: 'running' })) console.log(id, counts);
   */
  list: (query: BulkJobQuery = {}, options?: CallOptions) => transport.list('listBulkJobs', query, options),

  /**
   * Uploads a file whose lines are then executed. Call `retrieve` until the status is completed, stopped or cancelled. Pass an idempotency key
   * of your own to send the same file again without a second job. Amounts are integers in minor units.
   *
   * @example
   * const heading =
   *   'session_id,eligibility_check_id,provider_claim_reference,lines.1.code_system,lines.1.service_code,lines.1.units,lines.1.amount';
   * const row = 'ses_0199f2a4,elig_0199f2a4,INV-1,CPT,psy.individual.50,1,350000';
   * const file = { content: `${heading}\n${row}\n`, mediaType: 'text/csv' };
   * const { id } = await carecover.bulkJobs.create({ kind: 'claims' }, file);
   */
  create: ({ dry_run, ...input }: BulkJobInput, file: UploadedFile, options?: CallOptions) =>
    transport.call(
      'createBulkJob',
      { query: { ...input, ...(dry_run === undefined ? {} : { dry_run: String(dry_run) }) }, file },
      options,
    ),

  /**
   * Reads a bulk job with the numbers of its lines by result.
   *
   * @example
   * const { status, counts } = await carecover.bulkJobs.retrieve('job_0199f2a4');
   */
  retrieve: (id: BulkJobId, options?: CallOptions) =>
    transport.call('getBulkJob', { params: { bulk_job_id: id } }, options),

  /**
   * Reads one page of the results of the lines, in the order of the file. The next page is the one after the line of the last result.
   *
   * @example
   * const { data } = await carecover.bulkJobs.results('job_0199f2a4', { status: 'rejected' });
   */
  results: (id: BulkJobId, query: BulkJobResultQuery = {}, options?: CallOptions) =>
    transport.call('listBulkJobResults', { params: { bulk_job_id: id }, query: { ...query } }, options),

  /**
   * Pauses a bulk job after the lines that are executed now.
   *
   * @example
   * await carecover.bulkJobs.pause('job_0199f2a4');
   */
  pause: (id: BulkJobId, options?: CallOptions) =>
    transport.call('pauseBulkJob', { params: { bulk_job_id: id } }, options),

  /**
   * Continues a paused bulk job.
   *
   * @example
   * await carecover.bulkJobs.resume('job_0199f2a4');
   */
  resume: (id: BulkJobId, options?: CallOptions) =>
    transport.call('continueBulkJob', { params: { bulk_job_id: id } }, options),

  /**
   * Cancels a bulk job: the lines that are not executed yet are not executed, and what is recorded stays.
   *
   * @example
   * await carecover.bulkJobs.cancel('job_0199f2a4');
   */
  cancel: (id: BulkJobId, options?: CallOptions) =>
    transport.call('cancelBulkJob', { params: { bulk_job_id: id } }, options),
});

export interface BulkJobsMethods extends ReturnType<typeof bulkJobs> {}

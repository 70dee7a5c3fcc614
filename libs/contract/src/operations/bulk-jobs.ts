// The operations of bulk jobs: the upload of a file, its job, and the results of its lines.
import { BulkJobInput, BulkJobResultsQuery, BulkJobsQuery, NoQuery } from '../inputs/queries';
import { ADVICE_LINE_LIMIT, BULK_FILE_LIMIT, OPEN_BULK_JOB_LIMIT } from '../limits';
import { BulkJob, BulkJobResult } from '../resources/bulk-job';
import { listOf } from '../schema';
import { defineOperation, NoParams, pathIdentifier, pathParameters } from './definition';

const job = pathParameters({ bulk_job_id: pathIdentifier('bulkJob') });

const resultFiles = [
  {
    mediaType: 'text/csv',
    description:
      'CSV (RFC 4180) in UTF-8 with the columns line, reference, status, resource_id, error_code, error_message. Texts are protected from spreadsheets as in the CSV of a valuation run.',
  },
  {
    mediaType: 'application/x-ndjson',
    description: 'Newline-delimited JSON: one BulkJobResult per line.',
  },
] as const;

/** Creates the definition of an operation that changes the status of a job. */
function statusChange<const Name extends string>(name: Name, summary: string, description: string) {
  return {
    method: 'POST',
    path: `/bulk_jobs/{bulk_job_id}/${name}`,
    tag: 'Bulk jobs',
    summary,
    description,
    service: 'claims',
    scope: 'scope of the kind',
    params: job,
    query: NoQuery,
    success: [{ status: 200, schema: BulkJob }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict', 'invalid_state'],
  } as const;
}

export const bulkJobOperations = {
  listBulkJobs: defineOperation({
    method: 'GET',
    path: '/bulk_jobs',
    tag: 'Bulk jobs',
    summary: 'List bulk jobs',
    description: 'Lists the jobs of the kinds whose scopes the credential has.',
    service: 'claims',
    scope: 'scope of the kind',
    params: NoParams,
    query: BulkJobsQuery,
    success: [{ status: 200, schema: listOf(BulkJob) }],
    codes: ['validation_failed'],
    idempotencyKey: 'none',
  }),
  createBulkJob: defineOperation({
    method: 'POST',
    path: '/bulk_jobs',
    tag: 'Bulk jobs',
    summary: 'Execute the lines of a file',
    description: `Receives a file of at most ${BULK_FILE_LIMIT.lines} lines and ${BULK_FILE_LIMIT.bytes} bytes, and executes each line as one operation: a ClaimInput or RecordedClaimInput for the kind claims, a ClaimAdjudicationInput for the kind adjudications, a RemittanceInput with at most ${ADVICE_LINE_LIMIT} allocations for the kind remittances, a SettlementInput for the kind settlements, a SessionInput for the kind sessions, an EligibilityCheckInput for the kind eligibility_checks. The file can be compressed (\`Content-Encoding: gzip\`); the limits hold for the unpacked file. Lines of the same claim, remittance or reference are executed in their order. The same file under the same Idempotency-Key is a replay. A line that equals an earlier line of the file has no second effect. A project can have at most ${OPEN_BULK_JOB_LIMIT} jobs that have not ended.`,
    service: 'claims',
    scope: 'scope of the kind',
    params: NoParams,
    query: BulkJobInput,
    upload: {
      formats: [
        {
          mediaType: 'application/x-ndjson',
          description: 'Newline-delimited JSON: the JSON of one operation per line.',
        },
        {
          mediaType: 'text/csv',
          description:
            'CSV (RFC 4180) in UTF-8. The heading names fields; a field of an object or an item of a list has a path such as `session.starts_at` or `lines.1.amount`. An empty cell is an absent field. The texts of a list of texts are separated by spaces.',
        },
      ],
      limitBytes: BULK_FILE_LIMIT.bytes,
    },
    success: [
      { status: 202, schema: BulkJob },
      { status: 200, schema: BulkJob, replay: true },
    ],
    codes: ['validation_failed', 'idempotency_conflict', 'invalid_state', 'payload_too_large'],
    idempotencyKey: 'required',
    creates: true,
  }),
  getBulkJob: defineOperation({
    method: 'GET',
    path: '/bulk_jobs/{bulk_job_id}',
    tag: 'Bulk jobs',
    summary: 'Read a bulk job',
    service: 'claims',
    scope: 'scope of the kind',
    params: job,
    query: NoQuery,
    success: [{ status: 200, schema: BulkJob }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
  }),
  listBulkJobResults: defineOperation({
    method: 'GET',
    path: '/bulk_jobs/{bulk_job_id}/results',
    tag: 'Bulk jobs',
    summary: 'List the results of the lines of a bulk job',
    description:
      'One result per line of the file, in the order of the file. With another format in the Accept header, the response is a file of all these results, without pages. The results of an ended job are deleted after their retention, 30 days by default: the response is then 404, and the job has `results_deleted_at` and the counts.',
    service: 'claims',
    scope: 'scope of the kind',
    params: job,
    query: BulkJobResultsQuery,
    success: [{ status: 200, schema: listOf(BulkJobResult) }],
    files: resultFiles,
    codes: ['validation_failed', 'resource_not_found', 'not_acceptable'],
    idempotencyKey: 'none',
    isLong: true,
  }),
  pauseBulkJob: defineOperation({
    ...statusChange(
      'pauses',
      'Pause a bulk job',
      'Allowed in pending, running and paused. The lines that are being executed are executed to their end.',
    ),
    idempotencyKey: 'optional',
  }),
  continueBulkJob: defineOperation({
    ...statusChange('continuations', 'Continue a paused bulk job', 'Allowed in pending, running and paused.'),
    idempotencyKey: 'optional',
  }),
  cancelBulkJob: defineOperation({
    ...statusChange(
      'cancellations',
      'Cancel a bulk job',
      'Allowed in pending, running and paused. Lines that are not executed yet are not executed; what was executed remains.',
    ),
    idempotencyKey: 'required',
  }),
};

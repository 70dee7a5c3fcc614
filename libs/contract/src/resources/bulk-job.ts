// Bulk jobs: the lines of a file, each executed as one operation, and the result of each line.

import { type Static, Type } from 'typebox';
import { type ErrorCode, errorCodes } from '../errors';
import { anyIdentifier, exampleIdentifier, identifier } from '../identifiers';
import { BULK_FILE_LIMIT } from '../limits';
import {
  boundedInteger,
  closedObject,
  inlineObject,
  nullable,
  nullableObject,
  objectName,
  outputInstant,
  outputString,
  safeInteger,
  stringEnum,
} from '../schema';

export const bulkJobKinds = [
  'claims',
  'adjudications',
  'remittances',
  'settlements',
  'sessions',
  'eligibility_checks',
] as const;
export type BulkJobKind = (typeof bulkJobKinds)[number];

export const bulkJobOnErrors = ['continue', 'stop'] as const;

export const bulkJobStatuses = [
  'receiving',
  'pending',
  'running',
  'paused',
  'completed',
  'stopped',
  'cancelled',
] as const;
export type BulkJobStatus = (typeof bulkJobStatuses)[number];

export const bulkJobResultStatuses = ['waiting', 'succeeded', 'replayed', 'rejected'] as const;
export type BulkJobResultStatus = (typeof bulkJobResultStatuses)[number];

/** The schema of the numbers of a job's lines. */
export const bulkJobCounts = inlineObject('Numbers of lines. The last four add up to the first.', {
  total: safeInteger('The lines of the file.'),
  succeeded: safeInteger('The lines that were executed; in a dry run, that would be.'),
  replayed: safeInteger('The lines that repeat an earlier line of the file, and so had no second effect.'),
  rejected: safeInteger('The lines that were rejected.'),
  waiting: safeInteger('The lines that are not executed. Those of a job that has ended never will be.'),
});

export const BulkJob = closedObject(
  'BulkJob',
  'A file whose lines are executed, each as one operation.',
  {
    id: identifier('bulkJob', "The job's identifier."),
    object: objectName('bulk_job'),
    kind: stringEnum('BulkJobKind', bulkJobKinds, 'What each line of the file is.'),
    status: stringEnum(
      'BulkJobStatus',
      bulkJobStatuses,
      'receiving: the file arrives. pending: no line is executed yet. stopped: a line was rejected, and on_error is stop. completed, stopped and cancelled are final.',
    ),
    on_error: stringEnum('BulkJobOnError', bulkJobOnErrors, 'What the job does after a rejected line.'),
    dry_run: Type.Boolean({ description: 'Whether the job writes nothing.' }),
    counts: bulkJobCounts,
    created_at: outputInstant('When the upload started.'),
    completed_at: nullable(outputInstant('When the job ended; null before.')),
    results_deleted_at: nullable(
      outputInstant('When the results of the lines were deleted, after their retention; null before.'),
    ),
  },
  {
    id: exampleIdentifier('bulkJob'),
    object: 'bulk_job',
    kind: 'claims',
    status: 'completed',
    on_error: 'continue',
    dry_run: false,
    counts: { total: 640, succeeded: 637, replayed: 0, rejected: 3, waiting: 0 },
    created_at: '2025-03-11T09:00:00.000Z',
    completed_at: '2025-03-11T09:00:04.000Z',
    results_deleted_at: null,
  },
);
export type BulkJob = Static<typeof BulkJob>;

export const BulkJobResult = closedObject(
  'BulkJobResult',
  'The result of one line of the file of a bulk job.',
  {
    object: objectName('bulk_job_result'),
    line: boundedInteger(1, BULK_FILE_LIMIT.bytes, 'The line of the file at which the row starts, from 1.'),
    reference: nullable(
      outputString(
        'What names the row for its sender, such as provider_claim_reference; null if it has none.',
      ),
    ),
    status: stringEnum(
      'BulkJobResultStatus',
      bulkJobResultStatuses,
      'The outcome. replayed: the row repeats an earlier row of the file, whose resource it has.',
    ),
    resource_id: nullable(anyIdentifier('The created or changed resource; null if there is none.')),
    error: nullableObject(
      inlineObject('Why the row was rejected.', {
        code: stringEnum(
          'ErrorCode',
          Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]],
          'The code of the API error.',
        ),
        message: outputString('The message, which names invalid fields by JSON pointers.'),
      }),
      'Why the row was rejected; null otherwise.',
    ),
  },
  {
    object: 'bulk_job_result',
    line: 2,
    reference: 'INV-2025-0042',
    status: 'succeeded',
    resource_id: exampleIdentifier('claim'),
    error: null,
  },
);
export type BulkJobResult = Static<typeof BulkJobResult>;

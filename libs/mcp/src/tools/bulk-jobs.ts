/** The tool that says how far bulk jobs are, and why lines of their files were rejected. */
import { type BulkJob, operations } from '@carecover/contract';
import { callOperation, type OperationCaller, type ToolArguments } from '../operation-call';
import { argumentsSchema, type JsonSchema, operationArguments } from '../schema';
import { compact, type DirectTool } from './definition';

const ID = 'bulk_job_id';
export const JOB_FIELDS = [
  'explanation',
  'id',
  'kind',
  'status',
  'on_error',
  'dry_run',
  'counts',
  'created_at',
  'completed_at',
];
const RESULT_FIELDS = ['line', 'reference', 'resource_id', 'error'];

/** Says in words how far the job is. */
export function explainBulkJob({ status, dry_run, counts }: BulkJob): string {
  const { total, succeeded, replayed, rejected, waiting } = counts;
  const done = dry_run ? 'would be executed' : 'executed';
  const lines = `Of ${total} lines ${succeeded} ${done}, ${replayed} repeat an earlier line, ${rejected} rejected, ${waiting} not executed.`;
  return `The job is ${status}. ${lines}${dry_run ? ' A dry run writes nothing.' : ''}`;
}

async function readJob(caller: OperationCaller, given: ToolArguments) {
  const { [ID]: id, limit, after_line } = given;
  const job = await callOperation(caller, 'getBulkJob', { [ID]: id });
  const query = { [ID]: id, status: 'rejected', limit, after_line };
  const rejected = compact(await callOperation(caller, 'listBulkJobResults', query), RESULT_FIELDS);
  const shown = compact({ explanation: explainBulkJob(job as unknown as BulkJob), ...job }, JOB_FIELDS);
  return { ...shown, rejected_lines: rejected.data, has_more_rejected_lines: rejected.has_more };
}

async function listJobs(caller: OperationCaller, given: ToolArguments) {
  if (given[ID] !== undefined) return readJob(caller, given);
  const { data, has_more } = await callOperation(caller, 'listBulkJobs', given);
  const explained = (data as BulkJob[]).map((job) => ({ explanation: explainBulkJob(job), ...job }));
  return compact({ data: explained, has_more }, JOB_FIELDS);
}

const { kind, status, limit, starting_after } = operationArguments(operations.listBulkJobs).properties;
const { after_line } = operationArguments(operations.listBulkJobResults).properties;
const { [ID]: id } = operationArguments(operations.getBulkJob).properties;

export const bulkJobsTool: DirectTool = {
  name: 'list_bulk_jobs',
  title: operations.listBulkJobs.summary,
  description:
    'Says how far bulk jobs are, and why lines were rejected. A bulk job executes each line of a file: a claim (kind claims) or a decision about one (kind adjudications). Each job has a sentence (explanation), its status and the numbers of its lines. Leave bulk_job_id out to list the newest jobs, by status or kind. With a bulk_job_id (job_…) it also returns rejected_lines: the line of the file, the reference in it, and the error, which says what to correct; if has_more_rejected_lines is true, call again with after_line set to the last line. status, kind and starting_after are for the list, after_line is for one job.',
  operations: ['listBulkJobs', 'getBulkJob', 'listBulkJobResults'],
  inputSchema: argumentsSchema(
    { [ID]: id, kind, status, limit, starting_after, after_line } as Record<string, JsonSchema>,
    [],
  ),
  outputSchema: undefined,
  run: listJobs,
};

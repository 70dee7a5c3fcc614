/**
 * Uploads the file of a bulk job: first a dry run, which is a job that writes nothing, and after a person has seen its counts the job that
 * executes the same bytes.
 *
 * Failure policy: the file is kept between the dry run and the execution only in the memory of this process; if it is not kept any more, the
 * person uploads it again. A form whose answer was lost can be sent again: its idempotency key has one job.
 */
import { type BulkJob, bulkFileFormat, bulkJobKinds, type OperationInput } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { FormError, type FormReader } from '../form-reader';
import type { Act, PageRequest } from '../page';
import { Instant, Table } from '../parts';
import { wordsOf } from '../words';
import { BULK_FILE_LABELS, rememberFile } from './bulk-file-forms';
import { bulkJob, bulkJobs, COUNTS, linesOf, readJob } from './bulk-jobs';
import { requireChangeable } from './bulk-kinds';

/** Returns the headers by which the API reads a file with this name; null if the name has another ending. */
function headersOf(name: string): Readonly<Record<string, string>> | null {
  const { mediaType, isCompressed } = bulkFileFormat(name);
  if (mediaType === null) return null;
  return { 'content-type': mediaType, ...(isCompressed ? { 'content-encoding': 'gzip' } : {}) };
}

/** Creates a job of the uploaded file. @throws FormError; ApiError resource_not_found if the person can't submit jobs of the kind */
async function createJob(
  { calls, project, session, file }: PageRequest,
  form: FormReader,
  job: { readonly kind: string; readonly on_error: string; readonly dry_run: boolean },
): Promise<BulkJob> {
  const kind = bulkJobKinds.find((each) => each === job.kind);
  if (kind !== undefined) requireChangeable(session.roles, kind);
  const name = form.text('file');
  const headers = headersOf(name);
  if (file === null) form.reject('file', name === '' ? 'must be chosen' : 'must be chosen again');
  else if (headers === null)
    form.reject('file', 'must have a name that ends in .csv, .jsonl or .ndjson, or in .gz after these');
  form.check();
  if (file === null || headers === null) throw new FormError(form.found);
  const query = { ...job, dry_run: String(job.dry_run) } as OperationInput<'createBulkJob'>['query'];
  return calls.upload(project, 'createBulkJob', { query }, { content: file, headers }, form.key);
}

export const uploadBulkFile: Act = {
  path: '/bulk-jobs',
  permission: 'adjudicate',
  action: 'bulk_job.create',
  page: bulkJobs,
  takesFile: true,
  labels: BULK_FILE_LABELS,
  describe: ({ project = '' }, form) => ({
    subject: project,
    details: { kind: form.get('kind'), file: form.get('file'), sha256: form.get('upload'), dry_run: true },
  }),
  fieldOf: ([first, second = '']) => (first === 'query' && second in BULK_FILE_LABELS ? second : undefined),
  async execute(request, form) {
    const [kind, on_error] = [form.required('kind'), form.required('on_error')];
    const { id } = await createJob(request, form, { kind, on_error, dry_run: true });
    rememberFile(request, { job: id, file: form.text('file'), upload: form.text('upload') });
    return {
      path: `/bulk-jobs/${id}`,
      done: `${form.text('file')} is checked in a dry run. Nothing is written.`,
    };
  },
};

/** Reads the dry run whose file is to be executed. @throws ApiError invalid_state */
async function readDryRun(request: PageRequest): Promise<BulkJob> {
  const job = await readJob(request);
  if (!job.dry_run || job.status !== 'completed')
    throw new ApiError('invalid_state', 'Only the file of a completed dry run can be executed.');
  if (request.file === null)
    throw new ApiError(
      'invalid_state',
      'The file is not kept any more. Upload it again on the page Bulk jobs.',
    );
  return job;
}

export const executeBulkFile: Act = {
  path: '/bulk-jobs/:job/executions',
  permission: 'adjudicate',
  action: 'bulk_job.create',
  page: bulkJob,
  takesFile: true,
  describe: ({ project = '', job }, form) => ({
    subject: project,
    details: { after_dry_run: job, file: form.get('file'), sha256: form.get('upload'), dry_run: false },
  }),
  async preview(request, form) {
    const job = await readDryRun(request);
    const { kind, counts, completed_at, on_error } = job;
    const name = form.text('file');
    return {
      title: `Execute ${name}?`,
      confirm: `Execute ${linesOf(counts.total)}`,
      basis: `${job.id} ${form.text('upload')} ${JSON.stringify(counts)}`,
      effect: (
        <>
          <p>
            <strong>{linesOf(counts.total)}</strong> of the kind {wordsOf(kind)} will be executed
            {on_error === 'stop' && ' until the first one is rejected'}. The dry run of{' '}
            <Instant at={completed_at} /> had these results; what has changed since can change them:
          </p>
          <Table
            caption="Lines by result of the dry run"
            columns={COUNTS.map(([result, label]) => ({
              label,
              isNumber: true,
              cell: ({ counts: lines }: BulkJob) => lines[result],
            }))}
            rows={[job]}
          />
        </>
      ),
    };
  },
  async execute(request, form) {
    const { kind, on_error } = await readDryRun(request);
    const { id, counts } = await createJob(request, form, { kind, on_error, dry_run: false });
    return {
      path: `/bulk-jobs/${id}`,
      done: `The job was created: ${linesOf(counts.total)} of ${form.text('file')} will be executed.`,
    };
  },
};

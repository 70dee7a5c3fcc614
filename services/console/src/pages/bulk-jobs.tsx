/**
 * Bulk jobs: the list, and a job with its progress, its counts, its rejected lines by error code, the results of its lines, and the acts that
 * pause, continue and cancel it.
 *
 * Failure policy: a job changes while its page is read, so an act says what it would do to the job as it is then. The file of the results is
 * sent while it is read; if it is interrupted, the browser shows an incomplete download.
 */
import {
  type BulkJob,
  type BulkJobKind,
  type BulkJobResult,
  type BulkJobStatus,
  bulkJobKinds,
  bulkJobResultStatuses,
  bulkJobStatuses,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { ChoiceFilter, OrderFilter, readPlace } from '../filters';
import type { FormReader, Preview } from '../form-reader';
import { type Act, type Download, type Executed, type Page, type PageRequest, projectPath } from '../page';
import { HiddenFields, Id, Instant, Older, OwnId, Status, Table } from '../parts';
import { permits } from '../roles';
import { captionOf, choicesOf, wordsOf } from '../words';
import { ExecuteForm, UploadForm } from './bulk-file-forms';
import { canChange, requireChangeable } from './bulk-kinds';

const LIMIT = 50;

/** The statuses of jobs that a person can change. */
const OPEN: readonly BulkJobStatus[] = ['pending', 'running', 'paused'];

/** The number of lines that have a result. */
const doneOf = ({ counts }: BulkJob) => counts.total - counts.waiting;

export const linesOf = (count: number) => `${count} ${count === 1 ? 'line' : 'lines'}`;

/** The counts of a job, in the order in which they are shown. */
export const COUNTS = [
  ['succeeded', 'Succeeded'],
  ['replayed', 'Repeated'],
  ['rejected', 'Rejected'],
  ['waiting', 'Waiting'],
] as const;

export const bulkJobs: Page = {
  path: '/bulk-jobs',
  menu: 'Bulk jobs',
  permission: 'read',
  async render(request) {
    const { calls, project, session, address, query } = request;
    const status = bulkJobStatuses.find((each) => each === query.get('status'));
    const kind = bulkJobKinds.find((each) => each === query.get('kind'));
    const list = await calls.execute(project, 'listBulkJobs', {
      query: {
        limit: LIMIT,
        ...(status === undefined ? {} : { status }),
        ...(kind === undefined ? {} : { kind }),
        ...readPlace(query),
      },
    });
    return {
      title: 'Bulk jobs',
      body: (
        <>
          <form class="filter" method="get" action={address}>
            <ChoiceFilter
              name="status"
              label="Status"
              all="all"
              options={choicesOf(bulkJobStatuses)}
              query={query}
            />
            <ChoiceFilter
              name="kind"
              id="kind-filter"
              label="Kind"
              all="all"
              options={choicesOf(bulkJobKinds)}
              query={query}
            />
            <OrderFilter query={query} />
            <button type="submit">Show</button>
          </form>
          <Table
            name="bulk-jobs"
            caption={captionOf(list, 'job')}
            columns={[
              { label: 'Job', cell: ({ id }) => <Id project={project} id={id} /> },
              {
                label: 'Kind',
                cell: ({ kind, dry_run }) => (dry_run ? `${wordsOf(kind)}, dry run` : wordsOf(kind)),
              },
              { label: 'Status', cell: (job) => <Status value={job.status} /> },
              { label: 'Lines', isNumber: true, cell: ({ counts }) => counts.total },
              // The page of a job has the repeated lines too; more columns are too wide for a tablet.
              ...COUNTS.filter(([name]) => name !== 'replayed').map(([name, label]) => ({
                label,
                isNumber: true,
                cell: ({ counts }: BulkJob) => counts[name],
              })),
              { label: 'Created', cell: ({ created_at }) => <Instant at={created_at} /> },
            ]}
            rows={list.data}
          />
          <Older list={list} address={address} query={query} items="jobs" />
          {permits(session.roles, 'adjudicate') && (
            <>
              <h2 id="upload">Upload a file</h2>
              <UploadForm request={request} />
            </>
          )}
        </>
      ),
    };
  },
};

/** The rejected lines of a job that have one error code, as the claims service counts them. */
interface Rejections {
  readonly code: string;
  readonly count: number;
  readonly first_line: number;
  readonly first_message: string;
}

/** The acts that the status of a job allows; each asks for a confirmation if it starts or ends what the job does. */
function JobActs({ request: { session, project }, job }: { request: PageRequest; job: BulkJob }) {
  if (!canChange(session.roles, job.kind) || !OPEN.includes(job.status)) return null;
  const acts =
    job.status === 'paused'
      ? ([
          ['continuations', 'Continue'],
          ['cancellations', 'Cancel the job'],
        ] as const)
      : ([
          ['pauses', 'Pause'],
          ['cancellations', 'Cancel the job'],
        ] as const);
  return (
    <div class="buttons">
      {acts.map(([path, label]) => (
        <form key={path} method="post" action={projectPath(project, `/bulk-jobs/${job.id}/${path}`)}>
          <HiddenFields session={session} />
          <button type="submit">{label}</button>
        </form>
      ))}
    </div>
  );
}

function Progress({ job, address }: { job: BulkJob; address: string }) {
  const { counts, status, completed_at } = job;
  return (
    <>
      <p>
        <progress max={Math.max(counts.total, 1)} value={doneOf(job)} aria-label="Lines that have a result" />{' '}
        {doneOf(job)} of {linesOf(counts.total)} {counts.total === 1 ? 'has' : 'have'} a result.
        {completed_at === null && (
          <>
            {' '}
            <a href={address}>Show the progress of now</a>
          </>
        )}
      </p>
      {completed_at === null && status === 'cancelled' && (
        <p>The lines that were being executed are executed to their end.</p>
      )}
      {completed_at !== null && counts.waiting > 0 && (
        <p>The waiting lines were not executed, and never will be.</p>
      )}
    </>
  );
}

function Results({
  request: { project, address, query },
  results,
}: {
  request: PageRequest;
  results: { readonly data: readonly BulkJobResult[]; readonly has_more: boolean };
}) {
  return (
    <>
      <h2 id="results">Results</h2>
      <form class="filter" method="get" action={address}>
        <ChoiceFilter
          name="status"
          label="Status"
          all="all"
          options={choicesOf(bulkJobResultStatuses)}
          query={query}
        />
        <button type="submit">Show</button>
      </form>
      <Table
        caption={captionOf(results, 'line', { order: 'in the order of the file' })}
        columns={[
          { label: 'Line', isNumber: true, cell: ({ line }) => line },
          {
            label: 'Reference',
            cell: ({ reference }) =>
              reference === null ? <span class="none">none</span> : <span class="word">{reference}</span>,
          },
          { label: 'Status', cell: (result) => <Status value={result.status} /> },
          {
            label: 'Resource',
            cell: ({ resource_id: id }) =>
              id === null ? <span class="none">none</span> : <Id project={project} id={id} />,
          },
          {
            label: 'Why it was rejected',
            cell: ({ error }) =>
              error === null ? (
                <span class="none">none</span>
              ) : (
                <span class="word">{`${error.code}: ${error.message}`}</span>
              ),
          },
        ]}
        rows={results.data}
      />
      <Older
        list={{ data: results.data.map(({ line }) => ({ id: line })), has_more: results.has_more }}
        address={address}
        query={query}
        items="lines"
        label="Further lines"
      />
    </>
  );
}

/** Reads the job that the path names. @throws ApiError resource_not_found */
export function readJob({ calls, project, params }: PageRequest): Promise<BulkJob> {
  return calls.execute(project, 'getBulkJob', { params: { bulk_job_id: params.job ?? '' } });
}

export const bulkJob: Page = {
  path: '/bulk-jobs/:job',
  permission: 'read',
  async render(request) {
    const { calls, project, session, address, query } = request;
    const job = await readJob(request);
    const status = bulkJobResultStatuses.find((each) => each === query.get('status'));
    const after = query.get('after');
    const [rejections, results] = await Promise.all([
      calls.service<{ readonly data: readonly Rejections[] }>(
        'claims',
        project,
        `/bulk_jobs/${job.id}/rejections`,
      ),
      calls.execute(project, 'listBulkJobResults', {
        params: { bulk_job_id: job.id },
        query: {
          limit: LIMIT,
          ...(status === undefined ? {} : { status }),
          ...(after === null ? {} : { after_line: Number(after) }),
        },
      }),
    ]);
    return {
      title: `Bulk job of ${wordsOf(job.kind)}`,
      scripts: ['copy.js'],
      body: (
        <>
          <dl>
            <dt>Job</dt>
            <dd>
              <OwnId id={job.id} />, <Status value={job.status} />
              {job.dry_run && ', a dry run: nothing is written'}
            </dd>
            <dt>After a rejected line</dt>
            <dd>{job.on_error === 'stop' ? 'it stops' : 'it continues'}</dd>
            <dt>Created</dt>
            <dd>
              <Instant at={job.created_at} />
            </dd>
            <dt>Ended</dt>
            <dd>
              <Instant at={job.completed_at} />
            </dd>
          </dl>
          <Progress job={job} address={address} />
          <Table
            caption={`${linesOf(job.counts.total)} by result`}
            columns={[
              ...COUNTS.map(([name, label]) => ({
                label,
                isNumber: true,
                cell: ({ counts }: BulkJob) => counts[name],
              })),
            ]}
            rows={[job]}
          />
          <JobActs request={request} job={job} />
          {canChange(session.roles, job.kind) && <ExecuteForm request={request} job={job} />}
          <h2>Rejected lines</h2>
          <Table
            name="rejections"
            caption="By error code, most frequent first"
            none="No line is rejected."
            columns={[
              { label: 'Code', cell: ({ code }) => code },
              { label: 'Lines', isNumber: true, cell: ({ count }) => count },
              { label: 'First line', isNumber: true, cell: ({ first_line }) => first_line },
              {
                label: 'Its message',
                cell: ({ first_message }) => <span class="word">{first_message}</span>,
              },
            ]}
            rows={rejections.data}
          />
          {rejections.data.length > 0 && (
            <p>
              <a href={`${address}?status=rejected#results`}>Show the rejected lines</a>
            </p>
          )}
          <Results request={request} results={results} />
          <p>
            <a href={`${address}/results`} download>
              Download all results (CSV)
            </a>
          </p>
        </>
      ),
    };
  },
};

export const bulkJobResults: Download = {
  path: '/bulk-jobs/:job/results',
  permission: 'read',
  mediaType: 'text/csv',
  nameOf: ({ job = '' }) => `results-${job.replaceAll(/\W/g, '')}.csv`,
  open: ({ calls, project, params }) =>
    calls.download(project, 'listBulkJobResults', { params: { bulk_job_id: params.job ?? '' } }, 'text/csv'),
};

const describe = ({ job: subject = '' }: Readonly<Record<string, string>>) => ({ subject, details: {} });

/** Reads the job, which must be in one of the statuses. @throws ApiError resource_not_found, invalid_state */
async function readChangeable(request: PageRequest, statuses: readonly BulkJobStatus[]): Promise<BulkJob> {
  const job = await readJob(request);
  requireChangeable(request.session.roles, job.kind);
  knownKinds.set(request, job.kind);
  if (!statuses.includes(job.status))
    throw new ApiError('invalid_state', `The job is ${job.status}, so it can’t be changed in this way.`);
  return job;
}

/** The kinds of the jobs that previews have read, by request: an act is executed after its preview, and the kind of a job never changes. */
const knownKinds = new WeakMap<PageRequest, BulkJobKind>();

/** Executes an operation that changes the status of the job, and returns the job's page. */
async function change(
  request: PageRequest,
  operation: 'pauseBulkJob' | 'continueBulkJob' | 'cancelBulkJob',
  { key }: FormReader,
  toSentence: (job: BulkJob) => string,
): Promise<Executed> {
  const { calls, project, params, session } = request;
  const { job = '' } = params;
  requireChangeable(session.roles, knownKinds.get(request) ?? (await readJob(request)).kind);
  const changed = await calls.execute(project, operation, { params: { bulk_job_id: job } }, key);
  return { path: `/bulk-jobs/${job}`, done: toSentence(changed) };
}

export const pauseBulkJob: Act = {
  path: '/bulk-jobs/:job/pauses',
  permission: 'adjudicate',
  page: bulkJob,
  describe,
  action: 'bulk_job.pause',
  execute: (request, form) =>
    change(
      request,
      'pauseBulkJob',
      form,
      ({ counts }) => `The job is paused; ${linesOf(counts.waiting)} waited when it was.`,
    ),
};

export const continueBulkJob: Act = {
  path: '/bulk-jobs/:job/continuations',
  permission: 'adjudicate',
  page: bulkJob,
  describe,
  action: 'bulk_job.continue',
  async preview(request): Promise<Preview> {
    const { id, kind, counts, dry_run } = await readChangeable(request, ['paused']);
    return {
      title: 'Continue the job?',
      confirm: `Continue with ${linesOf(counts.waiting)}`,
      basis: `${id} paused ${counts.waiting}`,
      effect: (
        <p>
          {linesOf(counts.waiting)} of {counts.total} of the kind {wordsOf(kind)} will be{' '}
          {dry_run ? 'checked; nothing is written' : 'executed'}.
        </p>
      ),
    };
  },
  execute: (request, form) => change(request, 'continueBulkJob', form, () => 'The job continues.'),
};

export const cancelBulkJob: Act = {
  path: '/bulk-jobs/:job/cancellations',
  permission: 'adjudicate',
  page: bulkJob,
  describe,
  action: 'bulk_job.cancel',
  async preview(request): Promise<Preview> {
    const job = await readChangeable(request, OPEN);
    return {
      title: 'Cancel the job?',
      confirm: 'Cancel the job',
      // Not the counts: those of a running job differ each time.
      basis: `${job.id} cancelled`,
      effect: (
        <p>
          {linesOf(job.counts.waiting)} of {job.counts.total} had no result yet: those that are not being
          executed now will not be. What {linesOf(doneOf(job))} did stays. A cancelled job can’t be continued.
        </p>
      ),
    };
  },
  execute: (request, form) =>
    change(
      request,
      'cancelBulkJob',
      form,
      ({ counts }) => `The job is cancelled; ${linesOf(counts.waiting)} had no result.`,
    ),
};

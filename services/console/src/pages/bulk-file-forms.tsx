/** The forms of the file of a bulk job: the upload, which starts a dry run, and the execution of a file after its dry run. */
import { BULK_FILE_LIMIT, type BulkJob } from '@carecover/contract';
import { Choice, FileField } from '../forms';
import { type PageRequest, projectPath } from '../page';
import { HiddenFields } from '../parts';
import { MAX_FILE_BYTES } from '../uploads';
import { submittableKinds } from './bulk-kinds';

export const BULK_FILE_LABELS = {
  file: 'File',
  kind: 'What each line is',
  on_error: 'After a rejected line',
};

const ON_ERROR = [
  ['continue', 'continue'],
  ['stop', 'stop'],
] as const;

/** The name in the memory of the session under which the last uploaded file is, with its dry run. */
const REMEMBERED = 'bulk_file';

/** A file that was uploaded for a dry run. */
interface RememberedFile {
  /** The ID of the dry run. */
  readonly job: string;
  /** The name of the file, and the digest under which the console keeps it. */
  readonly file: string;
  readonly upload: string;
}

/** Remembers the file of a dry run, so that the page of the dry run offers to execute it. */
export function rememberFile({ memory }: PageRequest, file: RememberedFile): void {
  memory.set(REMEMBERED, JSON.stringify(file));
}

function fileOf({ memory }: PageRequest, job: string): RememberedFile | null {
  const file: RememberedFile | null = JSON.parse(memory.get(REMEMBERED) ?? 'null');
  return file?.job === job ? file : null;
}

/** The form that uploads a file; it starts a dry run. */
export function UploadForm({ request }: { request: PageRequest }) {
  const { session, project, rejected, file } = request;
  const field = { labels: BULK_FILE_LABELS, rejected };
  const limits = `At most ${MAX_FILE_BYTES / 1024 / 1024} MiB and ${BULK_FILE_LIMIT.lines.toLocaleString('en')} lines`;
  return (
    <form
      class="form"
      method="post"
      action={projectPath(project, '/bulk-jobs')}
      enctype="multipart/form-data"
    >
      <HiddenFields session={session} />
      <FileField
        {...field}
        name="file"
        isKept={file !== null}
        accept=".csv,.jsonl,.ndjson,.gz"
        hint={`JSON lines as .jsonl or .ndjson, or .csv; also .gz. ${limits}.`}
      />
      <Choice {...field} name="kind" options={submittableKinds(session.roles)} />
      <Choice {...field} name="on_error" options={ON_ERROR} usual="continue" />
      <button type="submit" class="main">
        Check the file in a dry run
      </button>
    </form>
  );
}

/** The form that executes the file of a dry run; it asks for a confirmation. */
export function ExecuteForm({ request, job }: { request: PageRequest; job: BulkJob }) {
  const { session, project } = request;
  if (!job.dry_run || job.status !== 'completed') return null;
  const remembered = fileOf(request, job.id);
  return (
    <>
      <h2>Execute the file</h2>
      {remembered === null ? (
        <p>
          The file is not kept any more.{' '}
          <a href={projectPath(project, '/bulk-jobs#upload')}>Upload it again</a> to execute it.
        </p>
      ) : (
        <form method="post" action={projectPath(project, `/bulk-jobs/${job.id}/executions`)}>
          <HiddenFields session={session} />
          <input type="hidden" name="file" value={remembered.file} />
          <input type="hidden" name="upload" value={remembered.upload} />
          <button type="submit">Execute {remembered.file}</button>
        </form>
      )}
    </>
  );
}

/** Creates a bulk job from a file that arrives, and then starts its workflow. */
import { createHmac } from 'node:crypto';
import { type JsonResponse, writeOnce } from '@carecover/commands';
import { OPEN_BULK_JOB_LIMIT } from '@carecover/contract';
import { ApiError, newId, type OwnedResource } from '@carecover/domain';
import { type Call, requestHash } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { jobResource } from '../resources';
import { acceptJob, deleteReceivingJob, hasOpenJobs, insertJob, lockJob } from '../store/bulk-jobs';
import { requireKind } from './permitted-bulk-jobs';
import { receiveBulkFile } from './receive-bulk-file';

/** What the use cases of bulk jobs call. */
export interface BulkJobDeps {
  readonly sql: Sql;
  /** The key of the digests of files, lines and idempotency keys. */
  readonly hashSecret: string;
  /** Starts the workflow of a job, or signals the running one that the job changed, without waiting for Temporal. */
  readonly signalWorkflow: (job: OwnedResource) => void;
}

/**
 * Receives the file, and creates a pending job. The request is known by its key and its file, so the response to an equal file is that of the
 * job that exists; what was received is then deleted.
 *
 * @throws ApiError permission_denied, validation_failed, payload_too_large, invalid_state if the project has the maximum number of open jobs,
 *   idempotency_conflict
 */
export async function createBulkJob(
  { sql, hashSecret, signalWorkflow }: BulkJobDeps,
  call: Call<'createBulkJob'>,
): Promise<JsonResponse> {
  const { caller, query, upload, headers, idempotencyKey } = call;
  const { tenant, environment } = caller;
  if (upload === undefined) throw new Error('the request has no file');
  const { kind, on_error = 'continue' } = query;
  requireKind(caller, kind);
  const job = { id: newId('job_'), kind, on_error, dry_run: query.dry_run === 'true' };
  const file = {
    stream: upload,
    mediaType: headers['content-type'] ?? '',
    isCompressed: headers['content-encoding'] === 'gzip',
  };
  const jobKey = createHmac('sha256', hashSecret).update(`${tenant}\n${idempotencyKey}`).digest('hex');
  await insertJob(sql, job, caller);
  let reply: JsonResponse;
  try {
    const { digest } = await receiveBulkFile(sql, { ...job, project_id: tenant }, file, jobKey, hashSecret);
    const { dry_run } = job;
    const hash = await requestHash('/v1/bulk_jobs', { kind, on_error, dry_run, digest }, hashSecret);
    reply = await writeOnce(sql, { ...call, requestHash: hash }, call.replayStatus, async (tx) => {
      if (await hasOpenJobs(tx, tenant, OPEN_BULK_JOB_LIMIT))
        throw new ApiError(
          'invalid_state',
          `The project has ${OPEN_BULK_JOB_LIMIT} bulk jobs that have not ended, the maximum. Wait until one has ended.`,
        );
      const received = await lockJob(tx, tenant, job.id);
      if (received === null) throw new Error(`the job ${job.id} is not there after its file arrived`);
      const body = jobResource({ ...received, status: 'pending' });
      return { status: 202, body, resourceId: job.id, writes: [acceptJob(tx, tenant, job.id)] };
    });
  } catch (error) {
    await deleteReceivingJob(sql, tenant, job.id);
    throw error;
  }
  if (reply.replayed) await deleteReceivingJob(sql, tenant, job.id);
  else signalWorkflow({ id: job.id, tenant, environment });
  return reply;
}

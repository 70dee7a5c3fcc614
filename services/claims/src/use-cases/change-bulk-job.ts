/** Pauses, continues and cancels bulk jobs. The job's workflow follows. */
import { type JsonResponse, writeOnce } from '@carecover/commands';
import type { BulkJobStatus } from '@carecover/contract';
import { ApiError, type OwnedResource, requireResource } from '@carecover/domain';
import type { Call } from '@carecover/http';
import { jobResource } from '../resources';
import { lockJob, setConsentDefault, setStatus } from '../store/bulk-jobs';
import type { BulkJobDeps } from './create-bulk-job';
import { requireKind } from './permitted-bulk-jobs';

/** The statuses of jobs that a client can change. */
const OPEN: readonly BulkJobStatus[] = ['pending', 'running', 'paused'];

/**
 * Sets the status of a job that has not ended. A continued job is pending until its next set of lines, and its lines have the consent default
 * that the project has at that time.
 *
 * @throws ApiError resource_not_found, permission_denied, invalid_state, idempotency_conflict
 */
export async function changeBulkJob(
  { sql, signalWorkflow }: BulkJobDeps,
  call: Call<'pauseBulkJob' | 'continueBulkJob' | 'cancelBulkJob'>,
  status: 'paused' | 'pending' | 'cancelled',
): Promise<JsonResponse> {
  const { caller, params } = call;
  const { bulk_job_id: id } = params;
  const { tenant } = caller;
  const changed: OwnedResource[] = [];
  const reply = await writeOnce(
    sql,
    call,
    call.replayStatus,
    async (tx, found: Awaited<ReturnType<typeof lockJob>>) => {
      const job = requireResource(caller, id, found);
      requireKind(caller, job.kind);
      if (!OPEN.includes(job.status))
        throw new ApiError(
          'invalid_state',
          `The job is ${job.status}. Only a job that is pending, running or paused can be changed.`,
        );
      const isUnchanged = status === 'pending' && job.status !== 'paused';
      if (status === 'pending') await setConsentDefault(tx, tenant, id, caller.consentDefault);
      const after = isUnchanged ? job : await setStatus(tx, tenant, id, status);
      changed.push({ id, tenant, environment: job.environment });
      return { status: 200, body: jobResource(after), resourceId: id };
    },
    (tx) => lockJob(tx, tenant, id),
  );
  for (const job of changed) signalWorkflow(job);
  return reply;
}

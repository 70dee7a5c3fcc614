/** HTTP routes of bulk jobs. */
import type { Handlers } from '@carecover/http';
import { changeBulkJob } from '../use-cases/change-bulk-job';
import { type BulkJobDeps, createBulkJob } from '../use-cases/create-bulk-job';
import { getBulkJob, listBulkJobResults, listBulkJobs, openBulkJobResults } from '../use-cases/read-bulk-job';

/** Creates the handlers of all API operations of bulk jobs. */
export function bulkJobHandlers(
  deps: BulkJobDeps,
): Pick<
  Handlers,
  | 'listBulkJobs'
  | 'createBulkJob'
  | 'getBulkJob'
  | 'listBulkJobResults'
  | 'pauseBulkJob'
  | 'continueBulkJob'
  | 'cancelBulkJob'
> {
  const { sql } = deps;
  return {
    async listBulkJobs(call) {
      return { status: 200, body: await listBulkJobs(sql, call) };
    },

    createBulkJob: (call) => createBulkJob(deps, call),

    async getBulkJob({ caller, params }) {
      return { status: 200, body: await getBulkJob(sql, caller, params.bulk_job_id) };
    },

    async listBulkJobResults(call) {
      const file = await openBulkJobResults(sql, call, call.headers.accept);
      return file ?? { status: 200, body: await listBulkJobResults(sql, call) };
    },

    pauseBulkJob: (call) => changeBulkJob(deps, call, 'paused'),
    continueBulkJob: (call) => changeBulkJob(deps, call, 'pending'),
    cancelBulkJob: (call) => changeBulkJob(deps, call, 'cancelled'),
  };
}

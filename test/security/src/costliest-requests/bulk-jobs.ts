/** The costliest requests of bulk jobs. */
import type { BulkJobId } from '@carecover/client';
import type { OperationId } from '@carecover/contract';
import { eventually } from '@carecover/testing/servers';
import type { Costliest, CostlyProject } from './costly';
import { UNIQUE } from './costly';

const NDJSON = 'application/x-ndjson';

/** The number of lines of a file. More of them, in the largest file, take as long to send as to store. */
const LINES = 5_000;

/** A file of lines that are rejected when they are executed. The first line differs from file to file. */
const file = `{"unexpected":"${UNIQUE}"}\n${'{"unexpected":true}\n'.repeat(LINES - 1)}`;

/** Creates a job, and waits for its end. */
const endedJob = ({ shared, world }: CostlyProject) =>
  shared('a bulk job', async () => {
    const { bulkJobs } = world.client;
    const { id } = await bulkJobs.create({ kind: 'claims' }, { mediaType: NDJSON, content: file });
    await eventually(
      'the job ends',
      async () => (await bulkJobs.retrieve(id as BulkJobId)).completed_at !== null,
    );
    return id;
  });

const ofJob: Costliest = {
  create: async (project) => [{ params: { bulk_job_id: await endedJob(project) } }],
};

export const bulkJobRequests = {
  listBulkJobs: {
    create: async (project) => {
      await endedJob(project);
      return [{ query: { limit: '100' } }];
    },
  },
  createBulkJob: {
    startsBackgroundWork: true,
    create: async () => [{ query: { kind: 'claims' }, headers: { 'content-type': NDJSON }, body: file }],
  },
  getBulkJob: ofJob,
  listBulkJobResults: {
    create: async (project) => [
      { params: { bulk_job_id: await endedJob(project) }, headers: { accept: 'text/csv' } },
      { params: { bulk_job_id: await endedJob(project) }, query: { limit: '100' } },
    ],
  },
  // A job that has ended is rejected after its row is read, as a job that has not is changed.
  pauseBulkJob: ofJob,
  continueBulkJob: ofJob,
  cancelBulkJob: ofJob,
} satisfies Partial<Record<OperationId, Costliest>>;

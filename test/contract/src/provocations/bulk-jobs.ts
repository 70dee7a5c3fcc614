/** Provocations of bulk jobs. */
import type { BulkJobId } from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import type { World } from '@carecover/testing/stack';
import { deleteJobs, fillWithOpenJobs } from '../store/bulk-jobs';
import type { Attempt, Provocation, Provocations } from './provocation';

const NDJSON = 'application/x-ndjson';

/** Returns a file with one claim, which no other file has. */
async function claimFile(world: World) {
  const input = world.claimInput(await world.createClaimableSession());
  return { mediaType: NDJSON, text: `${JSON.stringify(input)}\n` };
}

const ofClaims = async (world: World): Promise<Attempt> => ({
  query: { kind: 'claims' },
  file: await claimFile(world),
});

async function createJob(world: World) {
  const { mediaType, text } = await claimFile(world);
  return world.client.bulkJobs.create({ kind: 'claims' }, { mediaType, content: text });
}

async function createEndedJob(world: World) {
  const { id } = await createJob(world);
  return eventually('the bulk job ends', async () => {
    const job = await world.client.bulkJobs.retrieve(id as BulkJobId);
    return job.completed_at === null ? undefined : job;
  });
}

/** Creates a provocation whose request is about a job that has not ended, and that stays so: its row is inserted. */
function withOpenJob(): Provocation {
  return async (world) => {
    const { id } = await world.createSubmittedClaim();
    const jobId = `job_${crypto.randomUUID().replaceAll('-', '')}`;
    let remove: Attempt['cleanUp'];
    return {
      params: { bulk_job_id: jobId },
      async insertRows(databaseUrl) {
        await fillWithOpenJobs(databaseUrl, id, [jobId]);
        remove = () => deleteJobs(databaseUrl, [jobId]);
      },
      cleanUp: async () => remove?.(),
    };
  };
}

const withEndedJob: Provocation = async (world) => ({
  params: { bulk_job_id: (await createEndedJob(world)).id },
});

export const bulkJobProvocations: Provocations = {
  listBulkJobs: {
    success: async (world) => {
      await createJob(world);
      return { query: { kind: 'claims' } };
    },
  },
  createBulkJob: {
    success: ofClaims,
    validation_failed: async (world) => ({ query: { kind: 'coverages' }, file: await claimFile(world) }),
    payload_too_large: async () => ({
      query: { kind: 'claims' },
      file: { mediaType: NDJSON, text: '{}\n'.repeat(50_001) },
    }),
    invalid_state: async (world) => {
      const { id } = await world.createSubmittedClaim();
      let remove: Attempt['cleanUp'];
      return {
        ...(await ofClaims(world)),
        async insertRows(databaseUrl) {
          const jobs = await fillWithOpenJobs(databaseUrl, id);
          remove = () => deleteJobs(databaseUrl, jobs);
        },
        cleanUp: async () => remove?.(),
      };
    },
  },
  getBulkJob: {
    success: async (world) => ({ params: { bulk_job_id: (await createJob(world)).id } }),
  },
  listBulkJobResults: {
    success: async (world) => ({
      params: { bulk_job_id: (await createEndedJob(world)).id },
      query: { limit: '1' },
    }),
    not_acceptable: async (world) => ({
      params: { bulk_job_id: (await createJob(world)).id },
      headers: { accept: 'application/pdf' },
    }),
  },
  pauseBulkJob: { success: withOpenJob(), invalid_state: withEndedJob },
  continueBulkJob: { success: withOpenJob(), invalid_state: withEndedJob },
  cancelBulkJob: { success: withOpenJob(), invalid_state: withEndedJob },
};

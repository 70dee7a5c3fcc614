/**
 * Temporal's list of workflows (visibility) can contain a run that does not exist: after a restore of the histories alone, or for some
 * seconds after a run was deleted.
 */

import { type OwnedResource, storedTenant } from '@carecover/domain';
import { PROJECT_ID } from '@carecover/setup/search-attributes';
import type { ResourceWorkflow } from '@carecover/temporal';
import { TemporalRuns } from '@carecover/temporal';
import { eventually, startDevTemporal } from '@carecover/testing/servers';
import { listMissingRun } from '@carecover/testing/services';
import { terminateRuns } from './after-restore';

const TENANT = storedTenant('prj_one');
const workflow: ResourceWorkflow = {
  type: 'waiting',
  taskQueue: 'without-a-worker',
  summaryOf: () => 'waits',
};
const resource = (id: string): OwnedResource => ({ id, tenant: TENANT, environment: 'sandbox' });

let temporal: Awaited<ReturnType<typeof startDevTemporal>>;
let settings: { TEMPORAL_ADDRESS: string; TEMPORAL_NAMESPACE: string };
let runs: TemporalRuns;

beforeAll(async () => {
  temporal = await startDevTemporal();
  settings = { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' };
  runs = TemporalRuns.create(settings);
});
afterAll(async () => {
  await runs?.close();
  await temporal?.stop();
});

async function listed(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of runs.client.workflow.list({ query })) ids.push(workflowId);
  return ids.sort();
}

const listedRunning = () => listed("ExecutionStatus = 'Running'");

/** Starts the workflow of a resource, and waits until Temporal lists it. */
async function start(id: string): Promise<void> {
  await runs.ensureRunning(workflow, resource(id));
  await eventually('the run is listed', async () => (await listedRunning()).includes(id));
}

test("a recovery ends every run, and ends itself although Temporal's list has a run without a history", async () => {
  await Promise.all(['clm_1', 'clm_2'].map(start));
  await listMissingRun(temporal.visibilityUrl, 'clm_missing', 'clm_1');
  expect(await listedRunning()).toEqual(['clm_1', 'clm_2', 'clm_missing']);

  expect(await terminateRuns(settings, 'a test')).toBe(2);
  expect(await listed("ExecutionStatus = 'Terminated'")).toEqual(['clm_1', 'clm_2']);
  expect(await terminateRuns(settings, 'a test')).toBe(0);
}, 60_000);

test("a recovery ends the runs of Carecover's workflows alone", async () => {
  const { workflow: workflows } = runs.client;
  await workflows.start('foreign', { workflowId: 'foreign', taskQueue: 'foreign', args: [] });
  await eventually('the run is listed', async () => (await listedRunning()).includes('foreign'));
  expect(await terminateRuns(settings, 'a test')).toBe(0);
  expect((await workflows.getHandle('foreign').describe()).status.name).toBe('RUNNING');
});

test('a recovery leaves a run alone that a service has started for a resource whose run it ended', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `clm_again_${index}`);
  await Promise.all(ids.map(start));
  let isOver = false;
  const restart = async () => {
    while (!isOver) await runs.startMissing(workflow, ids.map(resource));
  };
  const restarting = restart();
  const ended = await terminateRuns(settings, 'a test').finally(() => {
    isOver = true;
  });
  await restarting;
  expect(ended).toBe(ids.length);
}, 60_000);

test('a sweep starts the workflow of a resource whose listed run has no history, or was deleted', async () => {
  const { workflow: workflows } = runs.client;
  await Promise.all(['clm_listed', 'clm_deleted'].map(start));
  await listMissingRun(temporal.visibilityUrl, 'clm_lost', 'clm_listed');
  const run = workflows.getHandle('clm_deleted');
  const { namespace } = runs.client.options;
  await runs.client.workflowService.deleteWorkflowExecution({
    namespace,
    workflowExecution: { workflowId: 'clm_deleted' },
  });
  await eventually('the run is deleted', async () => (await runs.describeRun('clm_deleted')) === null);

  const resources = ['clm_listed', 'clm_lost', 'clm_deleted', 'clm_new'].map(resource);
  expect(await runs.startMissing(workflow, resources)).toBe(3);
  for (const { id } of resources)
    expect((await workflows.getHandle(id).describe()).status.name).toBe('RUNNING');
  expect((await run.describe()).typedSearchAttributes.get(PROJECT_ID)).toBe(TENANT);
  expect(await runs.startMissing(workflow, resources)).toBe(0);
}, 60_000);

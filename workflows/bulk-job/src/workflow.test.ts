/** The order of the steps of a bulk job's workflow, on a Temporal server that skips time. The steps only return the values that a test sets. */

import { newId } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { asActivities, installRuntime } from '@carecover/temporal';
import { workflowBundle } from '@carecover/temporal/bundle';
import { CHANGED, type ResourceWorkflowInput } from '@carecover/temporal/workflow';
import { eventually, startTimeSkippingTemporal } from '@carecover/testing/servers';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { BulkJobSteps, JobReport } from './steps';

const TASK_QUEUE = 'claims';

let temporal: TestWorkflowEnvironment;
let worker: Worker;
let running: Promise<void>;
/** What the calls of the step return, in their order; all calls after the last one return the last one. 'fails' makes a call fail. */
let next: (JobReport['next'] | 'fails')[];
let calls: number;
let runIds: Set<string>;

const steps: BulkJobSteps = {
  async executeLines({ resourceId }) {
    calls += 1;
    const { workflow } = temporal.client;
    runIds.add((await workflow.getHandle(resourceId).describe()).runId);
    const value = next.length > 1 ? next.shift() : next[0];
    if (value === undefined || value === 'fails') throw new Error('payments is unavailable');
    return { next: value, words: `call ${calls}`, interrupted: [] };
  },
};

beforeAll(async () => {
  installRuntime(createLog('test', 'silent'));
  temporal = await startTimeSkippingTemporal();
  worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: await workflowBundle('bulk-job') },
    activities: asActivities(steps),
  });
  running = worker.run();
}, 120_000);
afterAll(async () => {
  worker?.shutdown();
  await running;
  await temporal?.teardown();
});
beforeEach(() => {
  next = ['ended'];
  calls = 0;
  runIds = new Set();
});

async function start(historyLimit?: number) {
  const id = newId('job_');
  const input: ResourceWorkflowInput = {
    resourceId: id,
    tenant: 'prj_1',
    environment: 'sandbox',
    ...(historyLimit !== undefined && { historyLimit }),
  };
  const { workflow } = temporal.client;
  await workflow.start('bulkJob', { workflowId: id, taskQueue: TASK_QUEUE, args: [input] });
  return workflow.getHandle(id);
}

test('sets are executed one after the other, until the job has ended', async () => {
  next = ['more lines', 'more lines', 'ended'];
  await (await start()).result();
  expect(calls).toBe(3);
});

test('a set that fails is executed again', async () => {
  next = ['more lines', 'fails', 'fails', 'ended'];
  await (await start()).result();
  expect(calls).toBe(4);
});

test('a paused job waits for a signal that it changed', async () => {
  next = ['paused'];
  const handle = await start();
  await eventually('the job is paused', async () => calls === 1);
  next = ['ended'];
  await handle.signal(CHANGED, []);
  await handle.result();
  expect(calls).toBe(2);
});

test('a set for which the service has no capacity is executed later, by a timer that occupies no slot', async () => {
  next = ['later', 'later', 'more lines', 'ended'];
  const handle = await start();
  await handle.result();
  expect(calls).toBe(4);
  const { events = [] } = await handle.fetchHistory();
  const timers = (events ?? []).flatMap(
    ({ timerStartedEventAttributes: timer }) => timer?.startToFireTimeout?.seconds ?? [],
  );
  expect(timers.map(Number)).toEqual([5, 5]);
});

test('a paused job continues after a minute if the signal was lost', async () => {
  next = ['paused', 'ended'];
  await (await start()).result();
  expect(calls).toBe(2);
});

test('a long run continues as new between two sets', async () => {
  // Steps that follow each other at once are one workflow task, whose events the history gets at its end.
  const sets = Array.from({ length: 10 }, () => ['more lines', 'later'] as const).flat();
  next = [...sets, 'ended'];
  await (await start(10)).result();
  expect(calls).toBe(21);
  expect(runIds.size).toBeGreaterThan(1);
});

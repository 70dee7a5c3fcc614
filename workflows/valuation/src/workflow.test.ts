/**
 * The order of the steps of a valuation run's workflow, on a Temporal server that skips time. The steps only return the values that a test
 * sets.
 */

import { newId } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { asActivities, installRuntime } from '@carecover/temporal';
import { workflowBundle } from '@carecover/temporal/bundle';
import type { ResourceWorkflowInput } from '@carecover/temporal/workflow';
import { startTimeSkippingTemporal } from '@carecover/testing/servers';
import { activityInfo } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { RetryLater, RollUpProgress, ValuationSteps } from './steps';

const MINUTE_MS = 60_000;
const TASK_QUEUE = 'claims';

let temporal: TestWorkflowEnvironment;
let worker: Worker;
let running: Promise<void>;
/**
 * The values that the calls of a step return, in the order of the calls. All calls after the last value return the last value. 'busy' makes
 * a call fail.
 */
let aheadMs: (number | null | 'busy')[];
let months: RollUpProgress[];
let results: (string | RetryLater)[];
/** The steps in the order in which they were executed. */
let executed: string[];
/** The IDs of the workflow's runs that executed a step. */
let runIds: Set<string>;

function next<T>(values: T[]): T {
  const value = values.length > 1 ? values.shift() : values[0];
  if (value === undefined) throw new Error('the test has no value for this step');
  return value;
}

function report(step: string): void {
  executed.push(step);
  runIds.add(activityInfo().workflowExecution?.runId ?? '');
}

const steps: ValuationSteps = {
  async closeCutoff() {
    report('closeCutoff');
    const ahead = next(aheadMs);
    if (ahead === 'busy') throw new Error('writers held the lock of the project');
    return ahead;
  },
  async rollUpMonth() {
    report('rollUpMonth');
    return next(months);
  },
  async computeResult({ resourceId, tenant }) {
    report(`computeResult of ${resourceId} in ${tenant}`);
    return next(results);
  },
};

beforeAll(async () => {
  installRuntime(createLog('test', 'silent'));
  temporal = await startTimeSkippingTemporal();
  worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: await workflowBundle('valuation') },
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
  aheadMs = [0];
  months = [{ hasMore: false, percent: 100 }];
  results = ['Ready'];
  executed = [];
  runIds = new Set();
});

/**
 * Runs the workflow to its end. Returns how many milliseconds of Temporal's time its last run took, from its history: the server's clock can
 * skip years between the end of a run and a question for the time.
 */
async function run(id: string, historyLimit?: number): Promise<number> {
  const input: ResourceWorkflowInput = {
    resourceId: id,
    tenant: 'prj_1',
    environment: 'sandbox',
    ...(historyLimit !== undefined && { historyLimit }),
  };
  const { workflow } = temporal.client;
  await workflow.execute('valuation', { workflowId: id, taskQueue: TASK_QUEUE, args: [input] });
  const { startTime, closeTime } = await workflow.getHandle(id).describe();
  if (closeTime === undefined) throw new Error('the run has ended and has no time of its end');
  return closeTime.getTime() - startTime.getTime();
}

test('a run makes its cutoff final, rolls up month after month, and then computes its result', async () => {
  months = [
    { hasMore: true, percent: 30 },
    { hasMore: true, percent: 60 },
    { hasMore: false, percent: 90 },
  ];
  const id = newId('vrun_');
  await run(id);
  expect(executed).toEqual([
    'closeCutoff',
    'rollUpMonth',
    'rollUpMonth',
    'rollUpMonth',
    `computeResult of ${id} in prj_1`,
  ]);
});

test('a run waits until its cutoff, and asks the database for the time at least once per minute', async () => {
  aheadMs = [3 * MINUTE_MS, 2 * MINUTE_MS, MINUTE_MS + 4_000, 4_000, 0];
  const durationMs = await run(newId('vrun_'));
  expect(durationMs).toBeGreaterThanOrEqual(3 * MINUTE_MS + 4_000);
  expect(durationMs).toBeLessThan(4 * MINUTE_MS);
  expect(executed.filter((step) => step === 'closeCutoff')).toHaveLength(5);
});

test('a run that does not exist or has ended computes nothing', async () => {
  aheadMs = [null];
  await run(newId('vrun_'));
  expect(executed).toEqual(['closeCutoff']);
});

test('a step that fails is executed again, and the next step starts after it', async () => {
  aheadMs = ['busy', 'busy', 0];
  await run(newId('vrun_'));
  expect(executed.slice(0, 4)).toEqual(['closeCutoff', 'closeCutoff', 'closeCutoff', 'rollUpMonth']);
});

test('a long run continues as new between two steps, and each month is rolled up once', async () => {
  aheadMs = [MINUTE_MS, MINUTE_MS, 0];
  months = [
    ...Array.from({ length: 20 }, (_, index) => ({ hasMore: true, percent: index })),
    { hasMore: false, percent: 99 },
  ];
  await run(newId('vrun_'), 10);
  expect(runIds.size).toBeGreaterThan(1);
  expect(executed.filter((step) => step === 'rollUpMonth')).toHaveLength(21);
  expect(executed.filter((step) => step.startsWith('computeResult'))).toHaveLength(1);
});

test('a run repeats a step that found its project busy, after the time that the step returned', async () => {
  const retry = { retryAfterMs: 2 * MINUTE_MS };
  months = [
    { hasMore: true, percent: 5, ...retry },
    { hasMore: true, percent: 60 },
    { hasMore: false, percent: 90 },
  ];
  results = [retry, retry, 'Ready'];
  const durationMs = await run(newId('vrun_'));
  expect(durationMs).toBeGreaterThanOrEqual(6 * MINUTE_MS);
  expect(durationMs).toBeLessThan(7 * MINUTE_MS);
  expect(executed.filter((step) => step === 'rollUpMonth')).toHaveLength(3);
  expect(executed.filter((step) => step.startsWith('computeResult'))).toHaveLength(3);
});

test('a run that waits long for its turn continues as new', async () => {
  results = [...Array.from({ length: 20 }, () => ({ retryAfterMs: 1_000 })), 'Ready'];
  await run(newId('vrun_'), 10);
  expect(runIds.size).toBeGreaterThan(1);
  expect(executed.filter((step) => step.startsWith('computeResult'))).toHaveLength(21);
});

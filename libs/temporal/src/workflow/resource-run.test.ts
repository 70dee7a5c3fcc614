/** Runs of a resource's workflow on a Temporal server that skips time, with the resource and its steps in memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type ResourceChange } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { eventually, startTimeSkippingTemporal } from '@carecover/testing/servers';
import type { TestReport, TestSteps } from '@carecover/testing/services';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { bundleWorkflows } from '../bundle-workflow';
import { asActivities, installRuntime } from '../worker';
import { CHANGED } from './changes';
import type { FinishingActivity, InterruptedCommand } from './resource-run';

const HOUR_MS = 3_600_000;
const QUEUE = 'reviewed';

/** A resource in memory. */
interface Resource {
  isOpen: boolean;
  /** Epoch milliseconds by Temporal's clock; null without a deadline. */
  dueAt: number | null;
  interrupted: InterruptedCommand[];
  /** How often the workflow has read the resource. */
  reviews: number;
  /** Called while a step reads the resource. */
  onRead: () => Promise<void>;
}

let temporal: TestWorkflowEnvironment;
let worker: Worker;
let running: Promise<void>;
let folder: string;
const resources = new Map<string, Resource>();
/** Finishes a command, by its ID. */
const finishers = new Map<string, FinishingActivity['finishCommand']>();

const steps: TestSteps & FinishingActivity = {
  async read(resourceId): Promise<TestReport> {
    const resource = resourceOf(resourceId);
    resource.reviews += 1;
    const { dueAt, isOpen, interrupted, reviews } = resource;
    await resource.onRead();
    const dueInMs = dueAt === null ? null : Math.max(0, dueAt - (await temporal.currentTimeMs()));
    return { isOpen, dueInMs, interrupted, words: `review ${reviews}` };
  },
  async finishCommand(command) {
    const finish = finishers.get(command.commandId);
    if (finish === undefined) throw new Error('the test has no such command');
    return finish(command);
  },
};

function resourceOf(id: string): Resource {
  const resource = resources.get(id);
  if (resource === undefined) throw new Error('the test has no such resource');
  return resource;
}

beforeAll(async () => {
  installRuntime(createLog('test', 'silent'));
  temporal = await startTimeSkippingTemporal();
  folder = mkdtempSync(join(tmpdir(), 'carecover-workflows-'));
  const codePath = join(folder, 'bundle.js');
  writeFileSync(
    codePath,
    await bundleWorkflows([join(__dirname, '../../../testing/src/services/reviewed-workflow.ts')]),
  );
  worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: QUEUE,
    workflowBundle: { codePath },
    activities: asActivities(steps),
  });
  running = worker.run();
}, 120_000);
afterAll(async () => {
  worker?.shutdown();
  await running;
  await temporal?.teardown();
  rmSync(folder, { recursive: true });
});

/** Starts the run of a new resource. */
async function start(initial: Partial<Resource> = {}, historyLimit?: number) {
  const id = newId('res_');
  const resource: Resource = {
    isOpen: true,
    dueAt: null,
    interrupted: [],
    reviews: 0,
    onRead: async () => undefined,
    ...initial,
  };
  resources.set(id, resource);
  const input = { resourceId: id, tenant: 'prj_1', environment: 'sandbox' };
  const args = [historyLimit === undefined ? input : { ...input, historyLimit }];
  const handle = await temporal.client.workflow.start('reviewed', { workflowId: id, taskQueue: QUEUE, args });
  const latest = temporal.client.workflow.getHandle(id);
  const isReviewed = (times: number) =>
    eventually(`it was read ${times} times`, async () => resource.reviews >= times);
  await isReviewed(1);
  return {
    id,
    resource,
    handle: latest,
    firstRunId: handle.firstExecutionRunId,
    isReviewed,
    signal: (...changes: ResourceChange[]) => latest.signal(CHANGED, changes),
    details: async () =>
      (await latest.query<{ readonly currentDetails: string }>('__temporal_workflow_metadata'))
        .currentDetails,
    close: async () => {
      resource.isOpen = false;
      await latest.signal(CHANGED, []);
      await latest.result();
    },
  };
}

const change = (what: string, requestId: string | null = 'req_1'): ResourceChange => ({
  what,
  at: '2026-11-27T00:00:00.000Z',
  actor: 'project:prj_1/key:key_1',
  requestId,
});

test('a run reads its resource again at the deadline, and ends when the resource awaits nothing', async () => {
  const dueAt = (await temporal.currentTimeMs()) + 48 * HOUR_MS;
  const { resource, handle } = await start({ dueAt });
  resource.onRead = async () => {
    if ((await temporal.currentTimeMs()) >= dueAt) resource.isOpen = false;
  };
  await handle.result();
  expect(await temporal.currentTimeMs()).toBeGreaterThanOrEqual(dueAt);
  // The database's clock decides, so the run reads the resource until it is closed: at the deadline, and a second later.
  expect(resource.reviews).toBeLessThanOrEqual(4);
  const { events } = await handle.fetchHistory();
  const timer = events?.find((event) => event.timerStartedEventAttributes != null);
  expect(Buffer.from(timer?.userMetadata?.summary?.data ?? []).toString()).toBe('"the deadline"');
});

test('the details show the words of the latest review, and the last ten changes with actor and request', async () => {
  const { isReviewed, signal, details, close } = await start();
  for (let n = 0; n < 12; n++) await signal(change(`change ${n}`, n === 11 ? null : `req_${n}`));
  await isReviewed(2);
  await eventually('all are shown', async () => (await details()).includes('change 11'));
  const [words, heading, lines = ''] = (await details()).split('\n\n');
  expect(words).toMatch(/^review \d+$/);
  expect(heading).toBe('Latest changes of this run:');
  expect(lines.split('\n')).toHaveLength(10);
  expect(lines.split('\n')[0]).toBe(
    '- 2026-11-27T00:00:00.000Z change 2 (project:prj_1/key:key_1, request req_2)',
  );
  expect(lines.split('\n')[9]).toBe('- 2026-11-27T00:00:00.000Z change 11');
  await close();
});

test('a change that arrives while the resource is read causes another review', async () => {
  const { resource, isReviewed, signal, handle } = await start();
  let isFirst = true;
  resource.onRead = async () => {
    if (!isFirst) return;
    isFirst = false;
    await signal(change('during the review'));
    resource.isOpen = false;
  };
  await signal(change('before the review'));
  await isReviewed(3);
  await handle.result();
});

describe('an interrupted command', () => {
  const interrupted = (commandId: string) => [{ commandId, operation: 'adjudicateClaim' }];

  test('is finished once, however often the resource is read meanwhile, and then the resource is read again', async () => {
    const commandId = newId('cmd_');
    let calls = 0;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    finishers.set(commandId, async ({ tenant }) => {
      calls += 1;
      expect(tenant).toBe('prj_1');
      await ended;
      return { outcome: 'executed' };
    });
    const { resource, isReviewed, signal, details, close } = await start({
      interrupted: interrupted(commandId),
    });
    await signal(change('queried'));
    await isReviewed(2);
    await signal(change('answered'));
    await isReviewed(3);
    resource.interrupted = [];
    end();
    await isReviewed(4);
    expect(calls).toBe(1);
    expect(await details()).toMatch(/interrupted adjudicateClaim executed$/);
    await close();
  });

  test('is tried again until it is executed or rejected, and the run does not end before', async () => {
    const commandId = newId('cmd_');
    let calls = 0;
    const { resource, handle } = await start();
    finishers.set(commandId, async () => {
      calls += 1;
      if (calls < 8) throw new Error('The payments service is unavailable');
      resource.interrupted = [];
      return { outcome: 'rejected', code: 'invalid_state' };
    });
    resource.interrupted = interrupted(commandId);
    resource.isOpen = false;
    await handle.signal(CHANGED, [change('adjudicateClaim interrupted')]);
    await handle.result();
    expect(calls).toBe(8);
    // The attempts of an activity add no events to the history.
    const { events } = await handle.fetchHistory();
    expect(events?.length).toBeLessThan(40);
    const scheduled = events?.filter((event) => event.activityTaskScheduledEventAttributes != null);
    expect(scheduled).toHaveLength(1);
    expect(Buffer.from(scheduled?.[0]?.userMetadata?.summary?.data ?? []).toString()).toBe(
      '"Finish the interrupted adjudicateClaim"',
    );
  });

  test('that can never be finished delays neither a deadline nor another command', async () => {
    const [poisoned, other] = [newId('cmd_'), newId('cmd_')];
    finishers.set(poisoned, () => Promise.reject(new Error('another service answers 500 for ever')));
    const { resource, isReviewed, signal, handle } = await start({ interrupted: interrupted(poisoned) });
    finishers.set(other, async () => {
      resource.interrupted = interrupted(poisoned);
      return { outcome: 'executed' };
    });
    resource.interrupted = [...interrupted(poisoned), ...interrupted(other)];
    resource.dueAt = (await temporal.currentTimeMs()) + HOUR_MS;
    await signal(change('queried'));
    await eventually('the other one is finished', async () => resource.interrupted.length === 1);
    const before = resource.reviews;
    await temporal.sleep(HOUR_MS + 2_000);
    await isReviewed(before + 1);
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await handle.terminate();
  });

  test('keeps a long run from continuing as new until it is finished', async () => {
    const commandId = newId('cmd_');
    let isAway = true;
    const { resource, isReviewed, signal, firstRunId, handle, close } = await start(
      { interrupted: interrupted(commandId) },
      10,
    );
    finishers.set(commandId, async () => {
      if (isAway) throw new Error('The payments service is unavailable');
      resource.interrupted = [];
      return { outcome: 'executed' };
    });
    for (let n = 2; n < 6; n++) {
      await signal(change(`change ${n}`));
      await isReviewed(n);
    }
    expect((await handle.describe()).runId).toBe(firstRunId);
    isAway = false;
    await eventually('it continues as new', async () => {
      await temporal.sleep(30_000);
      return (await handle.describe()).runId !== firstRunId;
    });
    await close();
  });
});

test('a long run continues as new, loses no change, and ends', async () => {
  const { resource, isReviewed, signal, firstRunId, handle, close } = await start({}, 10);
  for (let n = 2; n < 12; n++) {
    const before = resource.reviews;
    await signal(change(`change ${n}`));
    await isReviewed(before + 1);
  }
  expect((await handle.describe()).runId).not.toBe(firstRunId);
  await close();
});

test('a deadline that is thousands of years away is no error', async () => {
  const { signal, isReviewed, close } = await start({ dueAt: Date.UTC(9999, 0) });
  await signal(change('queried'));
  await isReviewed(2);
  await close();
});

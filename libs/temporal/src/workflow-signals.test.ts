/** Tests that workflows are signalled in the background when their resources change: once per change, by any process, despite failures. */

import type { ResourceChange } from '@carecover/domain';
import { type OwnedResource, storedTenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createLog } from '@carecover/telemetry';
import {
  createTestDatabase,
  eventually,
  startDevTemporal,
  type TestDatabase,
} from '@carecover/testing/servers';
import { doneOrWaiting, pendingCommand } from '@carecover/testing/services';
import type { ResourceWorkflow } from './resource-workflow';
import { TemporalRuns } from './temporal';
import { enqueueMissing, enqueueSignals, WorkflowSignals } from './workflow-signals';

let database: TestDatabase;
let sql: Sql;
let isUnavailable = false;
let onSignal: () => Promise<void> = async () => undefined;
const signalled: string[] = [];
const waiting = new Set<string>();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 10, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  isUnavailable = false;
  onSignal = async () => undefined;
  signalled.length = 0;
  received.length = 0;
  waiting.clear();
  await sql`delete from workflow_signals`;
});

async function signal(how: string): Promise<boolean> {
  await onSignal();
  if (!isUnavailable) signalled.push(how);
  return !isUnavailable;
}

const workflow: ResourceWorkflow = {
  type: 'claim',
  taskQueue: 'claims',
  summaryOf: ({ id }) => `Claim ${id}`,
};

const received: (readonly ResourceChange[])[] = [];

function newSignals(
  temporal: Pick<TemporalRuns, 'signalOrStart' | 'signalRunning'> = {
    signalOrStart: (_workflow, { id }, changes) => {
      received.push(changes);
      return signal(`start ${id}`);
    },
    signalRunning: (id, changes) => {
      received.push(changes);
      return signal(`signal ${id}`);
    },
  },
  { delayMs = 0, atOnce = 40, perSecond = 10_000, log = createLog('test', 'silent') } = {},
) {
  const settings = {
    WORKFLOW_SIGNAL_DELAY_MS: delayMs,
    WORKFLOW_SIGNALS_AT_ONCE: atOnce,
    WORKFLOW_SIGNALS_PER_SECOND: perSecond,
  };
  return new WorkflowSignals(sql, temporal, log, settings, {
    workflow,
    findWaiting: async (_sql, resources) => resources.map(({ id }) => id).filter((id) => waiting.has(id)),
  });
}

const outcomeOf = async (signals: WorkflowSignals) => (await signals.sendBatch()).outcome;
const owned = (id: string): OwnedResource => ({
  id,
  tenant: storedTenant('prj_one'),
  environment: 'sandbox',
});
const change = (what: string): ResourceChange => ({
  what,
  at: '2026-11-27T00:00:00.000Z',
  actor: 'key_one',
  requestId: 'request',
});
const enqueue = (...ids: string[]) =>
  sql.begin((tx) =>
    enqueueSignals(
      tx,
      ids.map((id) => ({ resource: owned(id), changes: [change('adjudicated')] })),
    ),
  );
const remaining = async () =>
  (await sql<{ id: string }[]>`select resource_id as id from workflow_signals`).map(({ id }) => id);
const expireLeases = () =>
  sql`update workflow_signals set leased_until = clock_timestamp() - interval '1 second'`;

test('a workflow is started only if its resource waits for something', async () => {
  waiting.add('clm_open');
  await enqueue('clm_open', 'clm_ended');
  await newSignals().sendBatch();
  expect(signalled.sort()).toEqual(['signal clm_ended', 'start clm_open']);
  expect(await remaining()).toEqual([]);
});

test('the workflow of a resource with an interrupted command is started, whatever the resource waits for', async () => {
  for (const [id, operation] of [
    ['clm_new', 'createClaim'],
    ['clm_settled', 'reverseClaim'],
  ] as const)
    await pendingCommand(sql, storedTenant('prj_one'), operation, id, {});
  const inProgress = await pendingCommand(sql, storedTenant('prj_one'), 'reverseClaim', 'clm_busy', {});
  await sql`
    update pending_commands set leased_until = clock_timestamp() + interval '1 minute' where id = ${inProgress}`;
  await enqueue('clm_new', 'clm_settled', 'clm_busy');
  await newSignals().sendBatch();
  expect(signalled.sort()).toEqual(['signal clm_busy', 'start clm_new', 'start clm_settled']);
});

test('changes within the delay are one signal, in their order, and a change during the signal causes another', async () => {
  const add = (what: string) =>
    sql.begin((tx) => enqueueSignals(tx, [{ resource: owned('clm_one'), changes: [change(what)] }]));
  await add('submitted');
  await add('queried');
  expect(await outcomeOf(newSignals(undefined, { delayMs: 60_000 }))).toBe('empty');
  onSignal = async () => {
    onSignal = async () => undefined;
    await add('adjudicated');
  };
  const signals = newSignals();
  await signals.sendBatch();
  expect([signalled.length, await remaining()]).toEqual([1, ['clm_one']]);
  await signals.sendBatch();
  expect(await remaining()).toEqual([]);
  expect(received.map((changes) => changes.map(({ what }) => what))).toEqual([
    ['submitted', 'queried'],
    ['adjudicated'],
  ]);
});

test('a change whose transaction is open while a signal is sent is sent next, at once, and nothing is sent twice', async () => {
  await enqueue('clm_one');
  let commit: () => void = () => undefined;
  const committing = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let open: Promise<void> = Promise.resolve();
  onSignal = async () => {
    onSignal = async () => undefined;
    await new Promise<void>((isWritten) => {
      open = sql.begin(async (tx) => {
        await enqueueSignals(tx, [{ resource: owned('clm_one'), changes: [change('queried')] }]);
        isWritten();
        await committing;
      });
    });
  };
  const signals = newSignals();
  const batch = signals.sendBatch();
  await eventually('it is signalled', async () => signalled.length === 1);
  await doneOrWaiting(sql, batch);
  commit();
  await Promise.all([batch, open]);
  expect(await outcomeOf(signals)).toBe('sent');
  expect(await outcomeOf(signals)).toBe('empty');
  expect(received.map((changes) => changes.map(({ what }) => what))).toEqual([['adjudicated'], ['queried']]);
});

test('changes of one resource in one transaction are one row', async () => {
  await enqueue('clm_one', 'clm_one');
  await newSignals().sendBatch();
  expect(received.map((changes) => changes.length)).toEqual([2]);
});

test('a batch has at most as many signals as the setting, the oldest changes first', async () => {
  await enqueue('clm_new');
  await enqueue('clm_old');
  await sql`update workflow_signals set enqueued_at = enqueued_at - interval '1 minute' where resource_id = 'clm_old'`;
  await newSignals(undefined, { atOnce: 1 }).sendBatch();
  expect(signalled).toEqual(['signal clm_old']);
});

test('signals yield to commands while resources change quickly, until one is late', async () => {
  const signals = newSignals(undefined, { atOnce: 2, perSecond: 20 });
  const rateOf = async (oldest: readonly number[], changedNow: number) => {
    await sql`delete from workflow_signals`;
    const ids = [...oldest, ...Array.from({ length: changedNow }, () => 0)].map((_, index) => `clm_${index}`);
    await enqueue(...ids);
    // The rows that change now are as new when they are read as when they are written, however long that takes.
    for (const [index, id] of ids.entries())
      await sql`
        update workflow_signals set enqueued_at = clock_timestamp() + ${oldest[index] === undefined ? 60 : -oldest[index]} * interval '1 second'
        where resource_id = ${id}`;
    return (await signals.sendBatch()).perSecond;
  };
  expect(await rateOf([2, 2], 5)).toBe(20);
  expect(await rateOf([2, 2], 6)).toBe(5);
  expect(await rateOf([4, 4], 6)).toBe(5);
  expect(await rateOf([6, 2], 6)).toBe(20);
});

test('no signal is sent while signals are paused by their setting', async () => {
  await enqueue('clm_one');
  const loop = newSignals(undefined, { perSecond: 0 }).start();
  await loop.stop();
  expect([signalled, await remaining()]).toEqual([[], ['clm_one']]);
});

test('the starts of missing workflows are enqueued once, and not for a resource with a pending signal', async () => {
  await enqueue('clm_pending');
  const resources = ['clm_pending', 'clm_missing', 'clm_running'].map(owned);
  const temporal = { findNotRunning: async () => resources.filter(({ id }) => id !== 'clm_running') };
  expect(await enqueueMissing(sql, temporal, resources)).toBe(1);
  expect(await enqueueMissing(sql, temporal, resources)).toBe(0);
  waiting.add('clm_missing');
  await newSignals().sendBatch();
  expect(signalled.sort()).toEqual(['signal clm_pending', 'start clm_missing']);
  expect(await enqueueMissing(sql, { findNotRunning: async () => null }, resources)).toBeNull();
});

test('a change that is rolled back signals nothing', async () => {
  const rolledBack = sql.begin(async (tx) => {
    await enqueueSignals(tx, [{ resource: owned('clm_one'), changes: [change('adjudicated')] }]);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(await outcomeOf(newSignals())).toBe('empty');
  expect(signalled).toEqual([]);
});

test('while Temporal is unavailable no signal is lost, and none waits for a lease afterwards', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `clm_${index}`);
  await enqueue(...ids);
  isUnavailable = true;
  const signals = newSignals();
  expect(await outcomeOf(signals)).toBe('unavailable');
  expect((await remaining()).sort()).toEqual(ids);
  isUnavailable = false;
  expect(await outcomeOf(signals)).toBe('sent');
  expect(await remaining()).toEqual([]);
});

test('two processes share the work, and continue the work of a process that ended', async () => {
  await enqueue(...Array.from({ length: 100 }, (_, index) => `clm_${index}`));
  const processes = [newSignals(), newSignals()];
  for (let round = 0; round < 3; round++) await Promise.all(processes.map((each) => each.sendBatch()));
  expect(signalled).toHaveLength(100);
  expect(await remaining()).toEqual([]);
  await enqueue('clm_leased');
  const started = new Promise<void>((resolve) => {
    onSignal = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  void newSignals().sendBatch();
  await started;
  onSignal = async () => undefined;
  expect(await outcomeOf(newSignals())).toBe('empty');
  await expireLeases();
  await newSignals().sendBatch();
  expect(signalled).toContain('signal clm_leased');
});

test('the loop signals soon after it is notified, and stops', async () => {
  const signals = newSignals();
  const loop = signals.start();
  await enqueue('clm_one');
  signals.notify();
  await eventually('it is signalled', async () => signalled.length === 1);
  await loop.stop();
});

describe('signals that Temporal rejects', () => {
  /** Resource IDs for which Temporal rejects a signal, because they are longer than a workflow ID can be. */
  const rejectedIds = ['a', 'b', 'c'].map((letter) => `clm_${letter.repeat(2_000)}`);
  let server: Awaited<ReturnType<typeof startDevTemporal>>;
  let temporal: TemporalRuns;

  beforeAll(async () => {
    server = await startDevTemporal();
    temporal = TemporalRuns.create({ TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default' });
  });
  afterAll(async () => {
    await temporal.close();
    await server.stop();
  });

  test('they do not delay others, are repeated later, and are logged in one line with their count', async () => {
    const lines: { msg: string; reasons: Record<string, number> }[] = [];
    const log = createLog('test', 'warn', { write: (line) => lines.push(JSON.parse(line)) });
    const signals = newSignals(temporal, { log });
    const accepted = ['clm_first', 'clm_second', 'clm_third'];
    for (const id of [...rejectedIds, ...accepted]) waiting.add(id);
    await enqueue(...rejectedIds, ...accepted);
    expect(await outcomeOf(signals)).toBe('sent');
    expect((await remaining()).sort()).toEqual(rejectedIds);
    for (const id of accepted) {
      expect((await temporal.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
    }
    expect(await outcomeOf(signals)).toBe('empty');
    await expireLeases();
    expect(await outcomeOf(signals)).toBe('sent');
    expect((await remaining()).sort()).toEqual(rejectedIds);
    expect(lines.map(({ reasons }) => Object.values(reasons))).toEqual([[3]]);
    expect(Object.keys(lines[0]?.reasons ?? {})[0]).toContain('INVALID_ARGUMENT');
  });
});

/** Tests that workflows are signalled in the background when their resources change: once per change, by any process, despite failures. */
import {
  createTestDatabase,
  eventually,
  startDevTemporal,
  type TestDatabase,
} from '@carecover/local/testing';
import { CLAIM_STATUS } from '@carecover/setup/search-attributes';
import { createLog } from './log';
import { connectPostgres, type Sql } from './postgres';
import type { SignalledWorkflow } from './resource-workflow';
import { sendAll, TemporalCommands } from './temporal';
import { type OwnedResource, storedTenant } from './tenant';
import { enqueueReviews, WorkflowReviews } from './workflow-reviews';

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
  waiting.clear();
  await sql`delete from workflow_reviews`;
});

async function signal(how: string): Promise<boolean> {
  await onSignal();
  if (!isUnavailable) signalled.push(how);
  return !isUnavailable;
}

const workflow: SignalledWorkflow = {
  type: 'claim',
  taskQueue: 'claims',
  updates: {},
  signal: 'recorded',
  statusAttribute: CLAIM_STATUS,
  summaryOf: ({ id }) => `Claim ${id}`,
};

const newReviews = (
  temporal: Pick<TemporalCommands, 'signalReview' | 'signalRunning'> = {
    signalReview: (_workflow, { id }) => signal(`start ${id}`),
    signalRunning: (_workflow, id) => signal(`signal ${id}`),
  },
  log = createLog('test', 'silent'),
) =>
  new WorkflowReviews(sql, temporal, log, {
    workflow,
    batch: 40,
    pauseMs: 0,
    findWaiting: async (_sql, resources) => resources.map(({ id }) => id).filter((id) => waiting.has(id)),
  });
const owned = (id: string): OwnedResource => ({
  id,
  tenant: storedTenant('prj_one'),
  environment: 'sandbox',
});
const enqueue = (...ids: string[]) => sql.begin((tx) => enqueueReviews(tx, ids.map(owned)));
const remaining = async () =>
  (await sql<{ id: string }[]>`select resource_id as id from workflow_reviews`).map(({ id }) => id);
const expireLeases = () =>
  sql`update workflow_reviews set leased_until = clock_timestamp() - interval '1 second'`;

test('a workflow is started only if its resource waits for something', async () => {
  waiting.add('clm_open');
  await enqueue('clm_open', 'clm_ended');
  await newReviews().signalBatch();
  expect(signalled.sort()).toEqual(['signal clm_ended', 'start clm_open']);
  expect(await remaining()).toEqual([]);
});

test('several changes before a signal cause one signal, and a change during the signal causes another', async () => {
  await enqueue('clm_one');
  await enqueue('clm_one');
  onSignal = async () => {
    onSignal = async () => undefined;
    await enqueue('clm_one');
  };
  const reviews = newReviews();
  await reviews.signalBatch();
  expect([signalled.length, await remaining()]).toEqual([1, ['clm_one']]);
  await reviews.signalBatch();
  expect([signalled.length, await remaining()]).toEqual([2, []]);
});

test('the signalling does not pause while rows are late, and pauses again after them', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `clm_${index}`);
  await enqueue(...ids);
  await sql`update workflow_reviews set requested_at = platform.now() - interval '61 seconds'`;
  const reviews = newReviews();
  expect(await reviews.signalBatch()).toBe('late');
  expect(await reviews.signalBatch()).toBe('late');
  await enqueue('clm_new');
  expect(await reviews.signalBatch()).toBe('more');
  expect(signalled).toHaveLength(61);
});

test('a change that is rolled back signals nothing', async () => {
  const rolledBack = sql.begin(async (tx) => {
    await enqueueReviews(tx, [owned('clm_one')]);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(await newReviews().signalBatch()).toBe('empty');
  expect(signalled).toEqual([]);
});

test('while Temporal is unavailable no signal is lost, and none waits for a lease afterwards', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `clm_${index}`);
  await enqueue(...ids);
  isUnavailable = true;
  const reviews = newReviews();
  expect(await reviews.signalBatch()).toBe('unavailable');
  expect((await remaining()).sort()).toEqual(ids);
  isUnavailable = false;
  expect(await reviews.signalBatch()).toBe('more');
  expect(await remaining()).toEqual([]);
});

test('two processes share the work, and continue the work of a process that ended', async () => {
  await enqueue(...Array.from({ length: 100 }, (_, index) => `clm_${index}`));
  const processes = [newReviews(), newReviews()];
  for (let round = 0; round < 3; round++) await Promise.all(processes.map((each) => each.signalBatch()));
  expect(signalled).toHaveLength(100);
  expect(await remaining()).toEqual([]);
  await enqueue('clm_leased');
  const started = new Promise<void>((resolve) => {
    onSignal = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  void newReviews().signalBatch();
  await started;
  onSignal = async () => undefined;
  expect(await newReviews().signalBatch()).toBe('empty');
  await expireLeases();
  await newReviews().signalBatch();
  expect(signalled).toContain('signal clm_leased');
});

test('the loop signals at once when it is notified, and stops', async () => {
  const reviews = newReviews();
  const loop = reviews.start();
  await enqueue('clm_one');
  reviews.notify();
  await eventually('it is signalled', async () => signalled.length === 1);
  await loop.stop();
});

describe('signals that Temporal rejects', () => {
  /** Resource IDs for which Temporal rejects a signal, because they are longer than a workflow ID can be. */
  const rejectedIds = ['a', 'b', 'c'].map((letter) => `clm_${letter.repeat(2_000)}`);
  let server: Awaited<ReturnType<typeof startDevTemporal>>;
  let temporal: TemporalCommands;

  beforeAll(async () => {
    server = await startDevTemporal();
    temporal = TemporalCommands.create({ TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default' });
  });
  afterAll(async () => {
    await temporal.close();
    await server.stop();
  });

  test('they do not delay others, are repeated later, and are logged in one line with their count', async () => {
    const lines: { msg: string; reasons: Record<string, number> }[] = [];
    const reviews = newReviews(
      temporal,
      createLog('test', 'warn', { write: (line) => lines.push(JSON.parse(line)) }),
    );
    const accepted = ['clm_first', 'clm_second', 'clm_third'];
    for (const id of [...rejectedIds, ...accepted]) waiting.add(id);
    await enqueue(...rejectedIds, ...accepted);
    expect(await reviews.signalBatch()).toBe('more');
    expect((await remaining()).sort()).toEqual(rejectedIds);
    for (const id of accepted) {
      expect((await temporal.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
    }
    expect(await reviews.signalBatch()).toBe('empty');
    await expireLeases();
    expect(await reviews.signalBatch()).toBe('more');
    expect((await remaining()).sort()).toEqual(rejectedIds);
    expect(lines.map(({ reasons }) => Object.values(reasons))).toEqual([[3]]);
    expect(Object.keys(lines[0]?.reasons ?? {})[0]).toContain('INVALID_ARGUMENT');
  });

  test('a change after the rejection is signalled at once', async () => {
    const [id = ''] = rejectedIds;
    waiting.add(id);
    await enqueue(id);
    const reviews = newReviews(temporal);
    await reviews.signalBatch();
    expect(await reviews.signalBatch()).toBe('empty');
    await enqueue(id);
    expect(await reviews.signalBatch()).toBe('more');
  });

  test('a sweep starts the workflows after a rejected one, and then fails with the rejection', async () => {
    const resources = [...rejectedIds, 'clm_behind'].map(owned);
    await expect(
      sendAll(resources, (resource) => temporal.ensureRunning(workflow, resource)),
    ).rejects.toThrow();
    expect((await temporal.client.workflow.getHandle('clm_behind').describe()).status.name).toBe('RUNNING');
  });
});

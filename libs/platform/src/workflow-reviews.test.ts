/** Workflows are signalled in the background of what changed their resources: once for each change, in any process, whatever fails. */
import { createTestDatabase, eventually, type TestDatabase } from '@carecover/local/testing';
import { createLog } from './log';
import { connectPostgres, type Sql } from './postgres';
import { type Owned, storedTenant } from './tenant';
import { enqueueReviews, WorkflowReviews } from './workflow-reviews';

let database: TestDatabase;
let sql: Sql;
let isAway = false;
let during: () => Promise<void> = async () => undefined;
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
  isAway = false;
  during = async () => undefined;
  signalled.length = 0;
  waiting.clear();
  await sql`delete from workflow_reviews`;
});

async function signal(how: string): Promise<boolean> {
  await during();
  if (!isAway) signalled.push(how);
  return !isAway;
}

const newReviews = () =>
  new WorkflowReviews(
    sql,
    { signalReview: (id) => signal(`start ${id}`), signalRunning: (id) => signal(`signal ${id}`) },
    createLog('test', 'silent'),
    {
      signal: 'recorded',
      workflowOf: (id) => ({ type: 'claim', taskQueue: 'claims', args: [id] }),
      findWaiting: async (_sql, ids) => ids.filter((id) => waiting.has(id)),
    },
  );
const owned = (id: string): Owned => ({ id, tenant: storedTenant('prj_one'), environment: 'sandbox' });
const enqueue = (...ids: string[]) => sql.begin((tx) => enqueueReviews(tx, ids.map(owned)));
const left = async () =>
  (await sql<{ id: string }[]>`select resource_id as id from workflow_reviews`).map(({ id }) => id);
const expireLeases = () => sql`update workflow_reviews set leased_until = clock_timestamp()`;

test('a workflow is started only where its resource awaits something', async () => {
  waiting.add('clm_open');
  await enqueue('clm_open', 'clm_ended');
  await newReviews().signalBatch();
  expect(signalled.sort()).toEqual(['signal clm_ended', 'start clm_open']);
  expect(await left()).toEqual([]);
});

test('several changes before the signal are one signal, and one change during it is another', async () => {
  await enqueue('clm_one');
  await enqueue('clm_one');
  during = async () => {
    during = async () => undefined;
    await enqueue('clm_one');
  };
  const reviews = newReviews();
  await reviews.signalBatch();
  expect([signalled.length, await left()]).toEqual([1, ['clm_one']]);
  await reviews.signalBatch();
  expect([signalled.length, await left()]).toEqual([2, []]);
});

test('a change that is rolled back signals nothing', async () => {
  const rolledBack = sql.begin(async (tx) => {
    await enqueueReviews(tx, [owned('clm_one')]);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(await newReviews().signalBatch()).toBe(false);
  expect(signalled).toEqual([]);
});

test('while Temporal is away nothing is lost', async () => {
  await enqueue('clm_one', 'clm_two');
  isAway = true;
  const reviews = newReviews();
  expect(await reviews.signalBatch()).toBe(false);
  expect((await left()).sort()).toEqual(['clm_one', 'clm_two']);
  isAway = false;
  await expireLeases();
  await reviews.signalBatch();
  expect(await left()).toEqual([]);
});

test('two processes share the work, and take over what one left when it died', async () => {
  await enqueue(...Array.from({ length: 100 }, (_, index) => `clm_${index}`));
  const processes = [newReviews(), newReviews()];
  for (let round = 0; round < 3; round++) await Promise.all(processes.map((each) => each.signalBatch()));
  expect(signalled).toHaveLength(100);
  expect(await left()).toEqual([]);
  await enqueue('clm_left');
  during = () => Promise.reject(new Error('it died'));
  expect(await newReviews().signalBatch()).toBe(false);
  during = async () => undefined;
  expect(await newReviews().signalBatch()).toBe(false);
  await expireLeases();
  await newReviews().signalBatch();
  expect(signalled).toContain('signal clm_left');
});

test('the loop signals at once when it is notified, and stops', async () => {
  const reviews = newReviews();
  const loop = reviews.start();
  await enqueue('clm_one');
  reviews.notify();
  await eventually('it is signalled', async () => signalled.length === 1);
  await loop.stop();
});

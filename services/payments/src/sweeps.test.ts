/** The sweeps of remittances on PostgreSQL, with a stub of Temporal that records which workflows are signalled and started. */
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import {
  connectPostgres,
  createLog,
  type OwnedResource,
  type Sql,
  type TemporalCommands,
} from '@carecover/platform';
import { remittanceSweeps } from './sweeps';
import { Bookkeeper, WAIT_MS } from './testing/bookkeeper';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;
/** IDs of the remittances whose workflows the sweeps signalled, and of those that they only started. */
let signalled: string[];
let started: string[];
let isTemporalAvailable: boolean;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
  books = new Bookkeeper(sql);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  signalled = [];
  started = [];
  isTemporalAvailable = true;
});
afterEach(() => database.setClockOffset(0));

function sweep(name: string): () => Promise<void> {
  const recordIn =
    (ids: string[]) =>
    async (_workflow: unknown, { id }: OwnedResource) => {
      if (isTemporalAvailable) ids.push(id);
      return isTemporalAvailable;
    };
  const temporal = {
    signalReview: async (workflow: unknown, remittance: OwnedResource) =>
      recordIn(signalled)(workflow, remittance),
    ensureRunning: async (workflow: unknown, remittance: OwnedResource) =>
      recordIn(started)(workflow, remittance),
  } as unknown as TemporalCommands;
  const found = remittanceSweeps(sql, temporal, createLog('test', 'silent')).find(
    (each) => each.name === name,
  );
  if (found === undefined) throw new Error(`no sweep ${name}`);
  return async () => {
    await found.run();
  };
}

test('all overdue remittances are signalled, although the oldest fill a page, and each once in ten minutes', async () => {
  const claim = await books.adjudicate(100);
  // They have one deadline, so that a page ends between remittances of the same deadline.
  await books.fillWithRemittances(claim, 120);
  await database.setClockOffset(2 * WAIT_MS);
  const run = sweep('remittances past their deadline');
  for (const count of [50, 100, 120]) {
    await run();
    expect(new Set(signalled).size).toBe(count);
  }
  expect(started).toEqual([]);
  for (let pass = 0; pass < 3; pass++) await run();
  expect(signalled).toHaveLength(120);
  expect(new Set(started).size).toBe(120);
  await sql`update remittances set status = 'exception' where project_id = ${books.tenant}`;
});

test('a remittance whose notification is not recorded is signalled once in ten minutes, after a signal that failed again', async () => {
  const remittance = await books.advise({ [await books.adjudicate(100)]: 60 });
  await sql`update claims_records set recorded_at = null where remittance_id = ${remittance}`;
  await database.setClockOffset(60_000);
  const run = sweep('notifications that claims has not recorded');
  isTemporalAvailable = false;
  await run();
  expect(signalled).toEqual([]);
  isTemporalAvailable = true;
  await run();
  await run();
  await run();
  expect(signalled).toEqual([remittance]);
  expect(started).toEqual([remittance, remittance]);
});

/** The sweeps of remittances on PostgreSQL, with stubs of Temporal and of claims. */

import { type OwnedResource, unavailable } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createLog } from '@carecover/telemetry';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { remittanceSweeps } from './sweeps';
import { Bookkeeper, WAIT_MS } from './testing/bookkeeper';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;
let isTemporalAvailable: boolean;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  isTemporalAvailable = true;
  books = new Bookkeeper(sql);
});
afterEach(async () => {
  await database.setClockOffset(0);
  await sql`update remittances set status = 'reconciled', reconciled_at = platform.now()`;
  await sql`delete from workflow_signals`;
});

function sweep(name: string): () => Promise<unknown> {
  const temporal = {
    findNotRunning: async (resources: readonly OwnedResource[]) =>
      isTemporalAvailable ? [...resources] : null,
  };
  const found = remittanceSweeps(books.deps, temporal, createLog('test', 'silent')).find(
    (each) => each.name === name,
  );
  if (found === undefined) throw new Error(`no sweep ${name}`);
  return found.run;
}

const statuses = async () =>
  (
    await sql<{ status: string; n: number }[]>`
    select status, count(*)::int as n from remittances where project_id = ${books.tenant} group by status order by status`
  ).map(({ status, n }) => `${n} ${status}`);

test('all overdue remittances become exceptions without Temporal, although the oldest fill a page', async () => {
  isTemporalAvailable = false;
  await books.fillWithRemittances(await books.adjudicate(100), 120);
  await database.setClockOffset(2 * WAIT_MS);
  const run = sweep('remittances past their deadline');
  for (const expected of [
    ['50 exception', '70 received'],
    ['100 exception', '20 received'],
    ['120 exception'],
  ]) {
    await run();
    expect(await statuses()).toEqual(expected);
  }
});

test('pending notifications are delivered, and one that claims can not record does not hide the others', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push(await books.advise({ [await books.adjudicate(100)]: 60 }));
  await sql`update claims_notifications set recorded_at = null where remittance_id = any(${ids})`;
  await database.setClockOffset(60_000);
  const { recordRemittance } = books.claims;
  books.claims.recordRemittance = (input) =>
    input.remittanceId === ids[0]
      ? Promise.reject(unavailable('The claims service'))
      : recordRemittance(input);
  const run = sweep('notifications that claims has not recorded');
  const pending = async () =>
    (
      await sql<
        { id: string }[]
      >`select remittance_id as id from claims_notifications where recorded_at is null`
    ).map(({ id }) => id);
  await expect(run()).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(await pending()).toEqual([ids[0]]);
  books.claims.recordRemittance = recordRemittance;
  await run();
  expect(await pending()).toEqual([]);
});

test('the starts of missing workflows are enqueued, for open remittances alone', async () => {
  const open = await books.advise({ [await books.adjudicate(100)]: 60 });
  const closed = await books.advise({ [await books.adjudicate(100)]: 60 });
  await books.observe(closed, 60);
  await sql`delete from workflow_signals`;
  const run = sweep('remittances without a workflow');
  isTemporalAvailable = false;
  await run();
  expect(await sql`select 1 from workflow_signals`).toHaveLength(0);
  isTemporalAvailable = true;
  await run();
  const rows = await sql<{ id: string }[]>`select resource_id as id from workflow_signals`;
  expect(rows.map(({ id }) => id)).toEqual([open]);
});

import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { Bookkeeper } from '../testing/bookkeeper';
import { type ShownAmounts, showClaim } from '../testing/shown-claim';
import { resendToClaims, verifyLedger } from '.';

let database: TestDatabase;
let sql: Sql;
let admin: Sql;
let books: Bookkeeper;
let claim: string;
let remittance: string;

beforeEach(async () => {
  database = await createTestDatabase({ services: ['payments', 'claims'] });
  sql = connectPostgres(database.url('payments'), 4, 'test');
  admin = connectPostgres(database.adminUrl, 2, 'test');
  books = new Bookkeeper(sql);
  claim = await books.adjudicate(100);
  remittance = await books.advise({ [claim]: 80 });
  await books.observe(remittance, 50);
});
afterEach(async () => {
  await Promise.all([sql.end(), admin.end()]);
  await database.drop();
});

const claimShows = (amounts: ShownAmounts) => showClaim(admin, books.tenant, claim, amounts);

const differences = async () => (await verifyLedger(admin)).differences;

test('claims with the amounts of the ledger have no difference', async () => {
  await claimShows({ approved: 100, remitted: 80, settled: 50 });
  expect(await differences()).toEqual([]);
});

test('an amount that claims missed is reported with both values, and sending the notifications again repairs it', async () => {
  await claimShows({ approved: 100, remitted: 80, settled: null });
  expect(await differences()).toEqual([
    { subject: claim, says: 'settled is 0 in claims, but 50 in the ledger' },
  ]);
  expect(await resendToClaims(admin, [claim])).toBe(1);
  expect(await verifyLedger(admin)).toMatchObject({ differences: [], inFlight: 1 });
  const pending = await sql`select 1 from claims_notifications where recorded_at is null`;
  expect(pending).toHaveLength(2);
});

test('a claim that only one side has is reported', async () => {
  expect(await differences()).toEqual([
    { subject: claim, says: 'has an account, but claims does not know it' },
  ]);
});

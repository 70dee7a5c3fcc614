import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, newId, type Sql } from '@carecover/platform';
import { Bookkeeper } from '../testing/bookkeeper';
import { retellClaims, verifyLedger } from '.';

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

/** A claim as the claims service would show it. */
async function claimShows(amounts: {
  approved: number | null;
  remitted: number | null;
  settled: number | null;
}) {
  const now = new Date();
  await admin`insert into claims.claims ${admin({
    id: claim,
    project_id: books.tenant,
    environment: 'sandbox',
    provider_claim_reference: newId('ref-'),
    eligibility_check_id: 'elig_1',
    session_id: newId('ses_'),
    booking_id: 'bkg_1',
    service_starts_at: now,
    service_ends_at: now,
    lines: '[]',
    currency: 'KES',
    billed: 130,
    status: 'partially_approved',
    submission_version: 1,
    adjudication_version: 1,
    decision: amounts.approved === null ? null : 'partially_approved',
    ...amounts,
    last_sequence: 1,
    event_version: 1,
    last_recorded_at: now,
    created_at: now,
    submitted_at: now,
  })}`;
}

const differences = async () => (await verifyLedger(admin)).differences;

test('claims that show what the ledger says are right', async () => {
  await claimShows({ approved: 100, remitted: 80, settled: 50 });
  expect(await differences()).toEqual([]);
});

test('an amount that claims missed is named with both values, and telling again is the repair', async () => {
  await claimShows({ approved: 100, remitted: 80, settled: null });
  expect(await differences()).toEqual([
    { subject: claim, says: 'settled is 0 in claims, but 50 in the ledger' },
  ]);
  expect(await retellClaims(admin, [claim])).toBe(1);
  expect(await verifyLedger(admin)).toMatchObject({ differences: [], inFlight: 1 });
  const untold = await sql`select 1 from claims_records where told_at is null`;
  expect(untold).toHaveLength(2);
});

test('a claim that one side alone knows is found', async () => {
  expect(await differences()).toEqual([
    { subject: claim, says: 'has an account, but claims does not know it' },
  ]);
});

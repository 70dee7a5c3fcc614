import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { Bookkeeper } from '../testing/bookkeeper';
import { showClaim } from '../testing/shown-claim';
import { continueVerification } from '.';
import { newPass, verifyNext } from './pass';
import { readCheckpoint, readPostingIds, savePass } from './store/checkpoint';

let database: TestDatabase;
let sql: Sql;
let admin: Sql;
let books: Bookkeeper;

beforeEach(async () => {
  database = await createTestDatabase({ services: ['payments', 'claims'] });
  sql = connectPostgres(database.url('payments'), 4, 'test');
  admin = connectPostgres(database.adminUrl, 2, 'test');
  books = new Bookkeeper(sql);
});
afterEach(async () => {
  await Promise.all([sql.end(), admin.end()]);
  await database.drop();
});

/** Creates a claim that was adjudicated one hour ago, also in the schema of the claims service. Returns the claim's ID. */
async function adjudicated(ageMs = 3_600_000): Promise<string> {
  await database.setClockOffset(-ageMs);
  const claim = await books.adjudicate(100);
  await database.setClockOffset(0);
  await showClaim(admin, books.tenant, claim, { approved: 100, remitted: null, settled: null });
  return claim;
}

/** Changes the postings of a claim as an attacker with all privileges would. */
const damage = (claim: string) =>
  admin.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update payments.postings set amount = amount + 1 where claim_id = ${claim}`;
  });

async function verify(whole = false) {
  const { isWhole, claims, different, differences } = await continueVerification(admin, { whole });
  return { isWhole, claims, different, subjects: [...new Set(differences.map(({ subject }) => subject))] };
}

test('the first verification is of the whole ledger, and later ones are of what changed', async () => {
  const old = await adjudicated();
  expect(await verify()).toEqual({ isWhole: true, claims: 1, different: 0, subjects: [] });
  expect(await verify()).toEqual({ isWhole: false, claims: 0, different: 0, subjects: [] });
  await damage(await adjudicated());
  await damage(old);
  const changed = await verify();
  expect(changed).toMatchObject({ isWhole: false, claims: 1 });
  expect(changed.subjects).not.toContain(old);
  expect(changed.different).toBeGreaterThan(0);
});

test('after a difference the whole ledger is verified until there is none', async () => {
  const claim = await adjudicated();
  await verify();
  await damage(claim);
  expect((await verify(true)).subjects).toEqual([claim]);
  expect(await verify()).toMatchObject({ isWhole: true, subjects: [claim] });
  await admin`update payments.postings set amount = amount - 1 where claim_id = ${claim}`;
  expect(await verify()).toMatchObject({ isWhole: true, different: 0 });
  expect(await verify()).toMatchObject({ isWhole: false, different: 0 });
});

test('postings that are not older than the longest transaction are verified again', async () => {
  await adjudicated(0);
  expect(await verify()).toMatchObject({ isWhole: true, claims: 1 });
  expect(await verify()).toMatchObject({ isWhole: false, claims: 1 });
});

test('a posting of a simulated project, which has an earlier time, hides no posting of an open transaction', async () => {
  const claim = await adjudicated(0);
  await admin.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into payments.postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at, recorded_at)
      select 'prj_1_sim', claim_id || 's', source, destination, amount, currency, cause, effective_at, '2022-01-01T00:00:00Z'
      from payments.postings where claim_id = ${claim}`;
  });
  expect((await readPostingIds(admin)).committedThrough).toBe(0);
});

test('an interrupted verification continues after its last range, with the differences that it had found', async () => {
  const claim = await adjudicated();
  await damage(claim);
  const interrupted = await verifyNext(admin, newPass(null, await readPostingIds(admin)), true);
  expect(interrupted.next).toBe('remittances');
  await savePass(admin, interrupted);
  await admin`update payments.postings set amount = amount - 1 where claim_id = ${claim}`;
  expect(await verify()).toMatchObject({ isWhole: true, claims: 1, subjects: [claim] });
  expect(await readCheckpoint(admin)).toEqual({ verifiedThrough: null, pass: null });
});

test('a ledger of several ranges is verified once, and the kept differences are bounded', async () => {
  const claim = await adjudicated();
  await admin.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into payments.claim_accounts (claim_id, project_id, environment, currency, adjudication_id, adjudication_version, charges,
        payer_liability, patient_responsibility, adjustment)
      select claim_id || n, project_id, environment, currency, adjudication_id, adjudication_version, charges, payer_liability,
        patient_responsibility, adjustment
      from payments.claim_accounts, generate_series(1, 2500) n where claim_id = ${claim}`;
    await tx`
      insert into payments.postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at, recorded_at)
      select project_id, claim_id || n, source, destination, amount, currency, cause, effective_at, recorded_at
      from payments.postings, generate_series(1, 2500) n where claim_id = ${claim}`;
  });
  const progress: [number, number | null][] = [];
  const onProgress = (verified: number, total: number | null) => progress.push([verified, total]);
  const whole = await continueVerification(admin, { whole: true, onProgress });
  expect(whole).toMatchObject({ isWhole: true, claims: 2501, different: 2500 });
  expect(whole.differences).toHaveLength(1000);
  expect(progress.slice(0, 3)).toEqual([
    [1000, 2501],
    [2000, 2501],
    [2501, 2501],
  ]);
  const { postings } = whole;
  await admin`update payments.ledger_verification set verified_through = 0`;
  expect(await continueVerification(admin, { whole: false })).toMatchObject({
    isWhole: false,
    postings,
    different: 2500,
  });
});

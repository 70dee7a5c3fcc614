import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, type Sql } from '@carecover/platform';
import { newTenant } from '@carecover/platform/testing';
import { rollUpNextMonth, sumOutstanding } from './portfolio-sums';

/**
 * Number of claims. They are submitted one hour apart. Each claim has deltas of its submission, of a decision 30 hours later and of a
 * settlement 60 hours later.
 */
const CLAIMS = 5_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;
const END = START + (CLAIMS + 60) * HOUR;

let database: TestDatabase;
let sql: Sql;
const tenant = newTenant();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 1, 'receivables');
  const admin = connectPostgres(database.adminUrl, 1, 'admin');
  await admin.session(async (session) => {
    await session`set search_path = claims`;
    await session`
      insert into claims (id, project_id, environment, provider_claim_reference, eligibility_check_id, session_id, booking_id,
        practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
        adjudication_version, decision, approved, patient_responsibility, adjustment, settled, last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
      select 'clm_' || lpad(n::text, 8, '0'), ${tenant}, 'sandbox', n, 'elig_', n, 'bkg_', 'prc_' || n % 500, 'payer_' || n % 8, 'plan',
        at, at, '[]', 'KES', 100, 'partially_approved', 1, 1, 'partially_approved', 90, 5, 5, 40, 5, 1, at + interval '60 hours', at + interval '60 hours', at, at
      from generate_series(1, ${CLAIMS}) n, lateral (select ${new Date(START)}::timestamptz + n * interval '1 hour' as at)`;
    await session`
      insert into portfolio_deltas (project_id, claim_id, recorded_at, effective_at, status, claims, outstanding_claims, adjudicated_claims, billed,
        payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding)
      select ${tenant}, id, submitted_at + after, submitted_at + after, delta.status, delta.claims, delta.owed, delta.owed, 0, 0, 0, 0, 0, 0, amount
      from claims, (values (interval '0', 'submitted', 1, 0, 0), ('30 hours', 'submitted', -1, 0, 0),
        ('30 hours', 'partially_approved', 1, 1, 90), ('60 hours', 'partially_approved', 0, 0, -40))
        as delta (after, status, claims, owed, amount)`;
    await session`analyze`;
  });
  await admin.end();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

async function read(at: number) {
  const sums = await sumOutstanding(sql, tenant, { knownAt: at, effectiveThrough: at }, null, null);
  const key = ({ age, practitioner_id, payer_id }: (typeof sums)[number]) =>
    `${age} ${practitioner_id} ${payer_id}`;
  return sums.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Rolls up all months that end before the instant `at`. Returns the number of months. */
async function rollUp(at: number): Promise<number> {
  await sql`
    insert into portfolios values (${tenant}, ${new Date(at)})
    on conflict (project_id) do update set closed_through = excluded.closed_through`;
  let months = 0;
  while ((await rollUpNextMonth(sql, tenant, at)) !== null) months += 1;
  return months;
}

test.each([
  ['the present', END, CLAIMS, CLAIMS * 50],
  [
    'an instant between facts',
    START + (CLAIMS / 2) * HOUR,
    CLAIMS / 2 - 30,
    (CLAIMS / 2 - 60) * 50 + 30 * 90,
  ],
])(
  'the outstanding amounts at %s are the same before and after months are rolled up',
  async (_name, at, count, amount) => {
    await sql`delete from portfolio_rollup_states`;
    await sql`delete from portfolio_rollups`;
    const sums = await read(at);
    const all = sums.filter(({ practitioner_id, payer_id }) => practitioner_id === null && payer_id === null);
    expect(all.length).toBeGreaterThan(3);
    expect(all.reduce((sum, { claim_count }) => sum + claim_count, 0)).toBe(count);
    expect(all.reduce((sum, each) => sum + Number(each.amount), 0)).toBe(amount);
    expect(await rollUp(at)).toBeGreaterThan(2);
    expect(await read(at)).toEqual(sums);
  },
);

test('the deltas of months that are rolled up are not read', async () => {
  const sums = await read(END);
  await rollUp(END);
  const first = new Date(START + 40 * HOUR);
  const deleted = await sql`delete from portfolio_deltas where recorded_at < ${first} returning claim_id`;
  expect(deleted.length).toBeGreaterThan(40);
  expect(await read(END)).toEqual(sums);
});

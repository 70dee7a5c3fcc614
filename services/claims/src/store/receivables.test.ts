import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { connectPostgres, type Sql } from '@carecover/platform';
import { newTenant, type SentStatement, testCaller } from '@carecover/platform/testing';
import { sumOutstandingAt } from './receivables';

/** Number of claims. They start one minute apart; each has deltas of its submission, of a decision after 30 minutes and of a settlement after an hour. */
const CLAIMS = 5_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const END = START + (CLAIMS + 60) * MINUTE;

let database: TestDatabase;
let sql: Sql;
let sent: SentStatement[] = [];
const tenant = newTenant();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 1, 'receivables', (text, values) =>
    sent.push({ text, values }),
  );
  const admin = connectPostgres(database.adminUrl, 1, 'admin');
  await admin.session(async (session) => {
    await session`set search_path = claims`;
    await session`
      insert into claims (id, project_id, environment, provider_claim_reference, eligibility_check_id, session_id, booking_id,
        practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
        adjudication_version, decision, approved, patient_responsibility, adjustment, settled, last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
      select 'clm_' || lpad(n::text, 8, '0'), ${tenant}, 'sandbox', n, 'elig_', n, 'bkg_', 'prc_' || n % 500, 'payer_' || n % 8, 'plan',
        at, at, '[]', 'KES', 100, 'partially_approved', 1, 1, 'partially_approved', 90, 5, 5, 40, 5, 1, at + interval '1 hour', at + interval '1 hour', at, at
      from generate_series(1, ${CLAIMS}) n, lateral (select ${new Date(START)}::timestamptz + n * interval '1 minute' as at)`;
    await session`
      insert into portfolio_deltas (project_id, claim_id, recorded_at, effective_at, status, claims, outstanding_claims, adjudicated_claims, billed,
        payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding)
      select ${tenant}, id, submitted_at + after, submitted_at + after, delta.status, delta.claims, delta.owed, delta.owed, 0, 0, 0, 0, 0, 0, amount
      from claims, (values (interval '0', 'submitted', 1, 0, 0), ('30 minutes', 'submitted', -1, 0, 0),
        ('30 minutes', 'partially_approved', 1, 1, 90), ('1 hour', 'partially_approved', 0, 0, -40))
        as delta (after, status, claims, owed, amount)`;
    await session`analyze`;
  });
  await admin.end();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test.each([
  ['the present', END, CLAIMS, CLAIMS * 50],
  [
    'an instant between facts',
    START + (CLAIMS / 2) * MINUTE,
    CLAIMS / 2 - 30,
    (CLAIMS / 2 - 60) * 50 + 30 * 90,
  ],
])('the sums at %s are read in one statement', async (_name, at, count, amount) => {
  sent = [];
  const sums = await sumOutstandingAt(sql, testCaller(tenant), at, undefined);
  expect(sent).toHaveLength(1);
  const all = sums.filter(({ practitioner_id, payer_id }) => practitioner_id === null && payer_id === null);
  expect(all.reduce((sum, { claim_count }) => sum + claim_count, 0)).toBe(count);
  expect(all.reduce((sum, each) => sum + Number(each.amount), 0)).toBe(amount);
});

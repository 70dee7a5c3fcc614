import { storedTenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { whileLocked } from '../testing/advisory-lock';
import { computeResult } from '../use-cases/value-portfolio';
import { deleteRollUps, PortfolioBusy, rollUpNextMonth } from './portfolio-rollups';
import { sumGroups, sumMonths } from './portfolio-sums';
import { sumOutstanding } from './receivable-sums';

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
      insert into claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key, provider_claim_reference_search, eligibility_check_id, session_id, booking_id,
        practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
        adjudication_version, decision, approved, patient_responsibility, adjustment, settled, last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
      select 'clm_' || lpad(n::text, 8, '0'), ${tenant}, 'sandbox', n, n, n, 'elig_', n, 'bkg_', 'prc_' || n % 500, 'payer_' || n % 8, 'plan',
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
  const sums = await sumOutstanding(sql, tenant, at, null, null);
  const key = ({ age, practitioner_id, payer_id }: (typeof sums)[number]) =>
    `${age} ${practitioner_id} ${payer_id}`;
  return sums.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Rolls up all months that end before the instant `at`. Returns the number of months, or of slices of months. */
async function rollUp(at: number, sliceDeltas?: number): Promise<number> {
  await sql`
    insert into portfolios values (${tenant}, ${new Date(at)})
    on conflict (project_id) do update set closed_through = excluded.closed_through`;
  let months = 0;
  while ((await rollUpNextMonth(sql, tenant, at, sliceDeltas)) !== null) months += 1;
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
    await sql.begin((tx) => deleteRollUps(tx, tenant));
    const sums = await read(at);
    const all = sums.filter(({ practitioner_id, payer_id }) => practitioner_id === null && payer_id === null);
    expect(all.length).toBeGreaterThan(3);
    expect(all.reduce((sum, { claim_count }) => sum + claim_count, 0)).toBe(count);
    expect(all.reduce((sum, each) => sum + Number(each.amount), 0)).toBe(amount);
    expect(await rollUp(at)).toBeGreaterThan(2);
    expect(await read(at)).toEqual(sums);
  },
);

test('the sums are the same after each slice of a month, also if a slice ends within the first day or has one instant', async () => {
  await sql.begin((tx) => deleteRollUps(tx, tenant));
  const instants = [START + 20 * 24 * HOUR, START + 31 * 24 * HOUR - 1, START + 70 * 24 * HOUR, END];
  const totals = (at: number) => sumMonths(sql, tenant, { knownAt: END, effectiveThrough: at }, 'shared');
  const byKey = (rows: Awaited<ReturnType<typeof totals>>) =>
    new Map(rows.map(({ sums, ...key }) => [JSON.stringify(key), sums]));
  const before = await Promise.all(instants.map((at) => read(at)));
  const monthsBefore = await Promise.all(instants.map(totals));
  await rollUp(START);
  await sql`update portfolios set closed_through = ${new Date(END)}`;
  let slices = 0;
  // At first there is one delta per hour, so the first slice ends within the first day of the month.
  for (const sliceDeltas of [10, 1, 1, 700, 700, 700, 700, 700, 700, 700]) {
    expect(await rollUpNextMonth(sql, tenant, END, sliceDeltas)).not.toBeNull();
    slices += 1;
    expect(await Promise.all(instants.map((at) => read(at)))).toEqual(before);
    const months = await Promise.all(instants.map(totals));
    expect(months.map(byKey)).toEqual(monthsBefore.map(byKey));
  }
  const [state] = await sql<{ rolled_through: Date }[]>`select rolled_through from portfolio_rollup_states`;
  expect(state?.rolled_through.getTime()).toBeGreaterThan(START + 31 * 24 * HOUR);
  expect(slices + (await rollUp(END, 1_000))).toBeGreaterThan(20);
  expect(await Promise.all(instants.map((at) => read(at)))).toEqual(before);
});

describe('while another transaction', () => {
  const cutoffs = { knownAt: END, effectiveThrough: END };

  test('rolls up a month, another roll-up of the project does not wait, and the sums are right', async () => {
    await sql.begin((tx) => deleteRollUps(tx, tenant));
    const sums = await read(END);
    await whileLocked(database.url('claims'), 'roll-up', tenant, async () => {
      await expect(rollUp(END)).rejects.toThrow(PortfolioBusy);
      expect(await rollUpNextMonth(sql, newTenant(), END)).toBeNull();
      expect(await read(END)).toEqual(sums);
    });
    expect(await rollUp(END)).toBeGreaterThan(2);
    expect(await read(END)).toEqual(sums);
  });

  test('has exclusive access to the sums, a request for this access does not wait', async () => {
    const groups = await sumGroups(sql, tenant, cutoffs, ['status'], 'exclusive');
    await whileLocked(database.url('claims'), 'valuation run', tenant, async () => {
      await expect(sumGroups(sql, tenant, cutoffs, ['status'], 'exclusive')).rejects.toThrow(PortfolioBusy);
      expect(await sumGroups(sql, tenant, cutoffs, ['status'], 'shared')).toEqual(groups);
      expect(await sumGroups(sql, newTenant(), cutoffs, ['status'], 'exclusive')).toEqual([]);
    });
  });
});

test('a run that finds its project busy is repeated after a part of the real time that has passed, also in simulated time', async () => {
  const run = { tenant: storedTenant('prj_1_sim'), resourceId: 'vrun_1' };
  await sql`
    insert into valuation_runs (id, project_id, environment, valuation_at, effective_through, kind, group_by, status, progress, created_at)
    values ('vrun_1', 'prj_1_sim', 'sandbox', '2022-01-01', '2022-01-01', 'totals', '[]', 'pending', 90, '2022-01-01')`;
  await whileLocked(database.url('claims'), 'valuation run', run.tenant, async () => {
    const answer = await computeResult(sql, run);
    expect(answer).toEqual({ retryAfterMs: expect.any(Number) });
    expect((answer as { retryAfterMs: number }).retryAfterMs).toBeLessThan(5_000);
  });
});

test('the deltas of months that are rolled up are not read', async () => {
  const sums = await read(END);
  await rollUp(END);
  const first = new Date(START + 40 * HOUR);
  const deleted = await sql`delete from portfolio_deltas where recorded_at < ${first} returning claim_id`;
  expect(deleted.length).toBeGreaterThan(40);
  expect(await read(END)).toEqual(sums);
});

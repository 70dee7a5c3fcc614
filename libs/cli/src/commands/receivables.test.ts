import { GatewayFixture } from '@carecover/gateway/testing';
import { runCommand } from '../testing/run-command';

let fixture: GatewayFixture;
beforeAll(async () => {
  fixture = await GatewayFixture.start(['gateway', 'benefits', 'claims']);
});
afterAll(() => fixture.stop());

const run = (...args: string[]) =>
  runCommand(['receivables', ...args], { CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl });

test('receivables are printed per currency, practitioner and payer, as the API returns them or as a table', async () => {
  const { project_id } = await fixture.project();
  await fixture.sql`insert into benefits.payer_contracts (id, project_id, reference) values ('payer_1', ${project_id}, 'contract/2026')`;
  await fixture.sql`
    insert into claims.claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key, provider_claim_reference_search, eligibility_check_id, session_id, booking_id,
      practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
      adjudication_version, decision, approved, patient_responsibility, adjustment, settled, last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
    select 'clm_1', ${project_id}, 'sandbox', 'INV-1', 'INV-1', 'INV-1', 'elig_1', 'ses_1', 'bkg_1', 'prc_1', 'payer_1', 'plan', at, at, '[]', 'KES', 100,
      'partially_approved', 1, 1, 'partially_approved', 90, 5, 5, 40, 1, 1, at, at, at, at
    from (select '2026-01-01T00:00:00Z'::timestamptz as at) t`;
  await fixture.sql`
    insert into claims.portfolio_deltas (project_id, claim_id, recorded_at, effective_at, status, claims, outstanding_claims, adjudicated_claims, billed,
      payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding)
    values (${project_id}, 'clm_1', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'partially_approved', 1, 1, 1, 100, 90, 5, 5, 0, 40, 50)`;
  const args = ['--project', project_id, '--at', '2026-02-01T03:00:00+03:00'];
  const outstanding = { total: 50, days_0_30: 0, days_31_60: 50, days_61_90: 0, days_over_90: 0 };
  const { code, output } = await run(...args, '--json');
  expect({ code, printed: JSON.parse(output) }).toEqual({
    code: 0,
    printed: {
      object: 'receivables',
      at: '2026-02-01T00:00:00.000Z',
      currencies: [
        {
          currency: 'KES',
          claim_count: 1,
          outstanding,
          practitioners: [{ practitioner_id: 'prc_1', claim_count: 1, outstanding }],
          payers: [{ payer_reference: 'contract/2026', claim_count: 1, outstanding }],
        },
      ],
    },
  });
  const table = (await run(...args)).output.split('\n').map((line) => line.split(/ {2,}/));
  expect(table).toEqual([
    ['outstanding at 2026-02-01T00:00:00.000Z, in minor units'],
    ['currency', 'of', 'claims', 'total', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90'],
    ['KES', 'all claims', '1', '50', '0', '50', '0', '0'],
    ['KES', 'prc_1', '1', '50', '0', '50', '0', '0'],
    ['KES', 'contract/2026', '1', '50', '0', '50', '0', '0'],
    [''],
  ]);
  expect((await run(...args, '--currency', 'USD')).output).toContain('Nothing is outstanding.');
});

test('an instant after the time of a simulated project is rejected, and the facts of the project stay open', async () => {
  const { project_id } = await fixture.project('sandbox', new Date('2022-03-01T00:00:00Z'));
  await fixture.sql`insert into claims.portfolios (project_id, closed_through) values (${project_id}, '2020-01-01')`;
  const closedThrough = async () =>
    (await fixture.sql`select closed_through from claims.portfolios where project_id = ${project_id}`)[0]
      ?.closed_through;
  const later = await run('--project', project_id, '--at', '2023-01-01T00:00:00Z');
  expect([later.code, later.errors]).toEqual([1, expect.stringContaining('2022-03-01T00:00:00.000Z')]);
  expect(await closedThrough()).toEqual(new Date('2020-01-01T00:00:00Z'));
  expect(await run('--project', project_id, '--at', '2022-02-01T00:00:00Z')).toMatchObject({ code: 0 });
  expect(await closedThrough()).toEqual(new Date('2022-02-01T00:00:00Z'));
});

test('an instant in the future, or none, is rejected', async () => {
  const { project_id } = await fixture.project();
  const future = await run('--project', project_id, '--at', '2999-01-01T00:00:00Z');
  expect(future.code).toBe(1);
  expect(future.errors).toMatch(/^carecover: --at is more than 5 seconds ahead of the server's time/);
  const unknown = await run('--project', 'prj_unknown', '--at', '2026-01-01T00:00:00Z');
  expect(unknown.errors).toContain('There is no project prj_unknown.');
  expect((await run('--project', project_id)).code).toBe(2);
  expect((await run('--project', project_id, '--at', 'noon')).code).toBe(2);
});

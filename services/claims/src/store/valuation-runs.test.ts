import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { allCountedClaims, type CountedClaim, pageOfCountedClaims } from './valuation-runs';

/** The number of claims, which is more than one SQL statement reads. They were submitted one hour apart. */
const CLAIMS = 2_500;
const START = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;
/** The number of claims that were submitted by the cutoff, and so are counted. */
const COUNTED = 20;
const cutoff = START + COUNTED * HOUR;
const cutoffs = { knownAt: cutoff + 10 * HOUR, effectiveThrough: cutoff };

let database: TestDatabase;
let sql: Sql;
const tenant = newTenant();
const caller = { tenant, resourceIds: null };

/** Returns a claim ID that contains the instant `ms` (epoch milliseconds), as if the claim's command was received then. */
const claimIdAt = (ms: number) => `clm_${ms.toString(16).padStart(12, '0')}70008000000000000000`;

/**
 * Inserts submitted claims with their deltas. `at` is the instant of the submission in epoch milliseconds; the ID can contain another
 * instant.
 */
async function insertClaims(claims: readonly { readonly id: string; readonly at: number }[]): Promise<void> {
  const rows = claims.map(({ id, at }) => ({ id, at: new Date(at).toISOString() }));
  await sql`
    with inserted as (
      insert into claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key, provider_claim_reference_search, eligibility_check_id, session_id, booking_id,
        practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
        adjudication_version, last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
      select id, ${tenant}, 'sandbox', id, id, upper(id), 'elig_' || id, id, 'bkg_', 'prc_1', 'payer_1', 'plan', at, at, '[]', 'KES', 100,
        'submitted', 1, 0, 1, 1, at, at, at, at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as claim (id text, at timestamptz)
      returning id, submitted_at)
    insert into portfolio_deltas (project_id, claim_id, recorded_at, effective_at, status, claims, outstanding_claims, adjudicated_claims,
      billed, payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding)
    select ${tenant}, id, submitted_at, submitted_at, 'submitted', 1, 0, 0, 100, 0, 0, 0, 0, 0, 0 from inserted`;
}

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 1, 'valuation-runs');
  const instants = Array.from({ length: CLAIMS }, (_, index) => START + (index + 1) * HOUR);
  await insertClaims(instants.map((at) => ({ id: claimIdAt(at), at })));
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

async function readAll(): Promise<(readonly CountedClaim[])[]> {
  const pages: CountedClaim[][] = [];
  for await (const page of allCountedClaims(sql, caller, cutoffs)) pages.push(page);
  return pages;
}

test('claims that were submitted after the cutoffs are not read', async () => {
  const pages = await readAll();
  expect(pages.map((page) => page.length)).toEqual([COUNTED]);
  const { data, has_more } = await pageOfCountedClaims(sql, caller, cutoffs, { limit: 5 });
  expect([data.map(({ id }) => id), has_more]).toEqual([pages[0]?.slice(0, 5).map(({ id }) => id), true]);
});

test('a claim whose ID has a later time than its submission is read in the order of its submission', async () => {
  const late = claimIdAt(START + CLAIMS * HOUR + HOUR / 2);
  await insertClaims([{ id: late, at: START + HOUR }]);
  const ids = (await readAll()).flat().map(({ id }) => id);
  expect(ids).toHaveLength(COUNTED + 1);
  expect(ids.slice(-2)).toEqual([late, claimIdAt(START + HOUR)]);
  const starting_after = ids.at(-3) ?? '';
  const { data } = await pageOfCountedClaims(sql, caller, cutoffs, { limit: 1, starting_after });
  expect(data[0]?.id).toBe(late);
});

import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { costOfPlans, newTenant, type SentStatement, testCaller } from '@carecover/testing/services';
import { type ClaimFilters, listClaims } from './claims-in-full';

/** Number of claims in the table. Each has one open information request; their deadlines are one hour apart. */
const ROWS = 20_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const dueAt = (row: number) => new Date(START + row * 3_600_000).toISOString();

let database: TestDatabase;
let sql: Sql;
let sent: SentStatement[] = [];
const tenant = newTenant();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['claims'] });
  sql = connectPostgres(database.url('claims'), 1, 'claims-in-full', {
    listener: (text, values) => sent.push({ text, values }),
  });
  const admin = connectPostgres(database.adminUrl, 1, 'admin');
  await admin.session(async (session) => {
    await session`set search_path = claims`;
    await session`insert into claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key, provider_claim_reference_search, eligibility_check_id, session_id, booking_id,
       practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
       adjudication_version, last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
     select 'clm_' || lpad(n::text, 8, '0'), ${tenant}, 'sandbox', n, n, n, 'elig_', n, 'bkg_', 'prc_', 'payer_', 'plan', now(), now(), '[]', 'EUR', 1, 'queried',
       1, 0, 1, 1, now(), now(), now(), now() from generate_series(1, ${ROWS}) n`;
    await session`insert into information_requests (id, claim_id, project_id, number, reason_code, requested_evidence_types, status, due_at,
       created_at)
     select 'cir_' || n, 'clm_' || lpad(n::text, 8, '0'), ${tenant}, 1, 'notes', '[]', 'open',
       ${new Date(START)}::timestamptz + n * interval '1 hour', now() from generate_series(1, ${ROWS}) n`;
    await session`analyze`;
  });
  await admin.end();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test.each<[ClaimFilters, number]>([
  [{ due_before: dueAt(1) }, 0],
  [{ due_before: dueAt(11) }, 10],
  [{ due_before: dueAt(51) }, 20],
  [{ due_before: dueAt(11), status: 'queried' }, 10],
  [{ due_before: dueAt(11), provider_claim_reference: '5' }, 1],
])('the list of %j reads a bounded number of pages, also with a generic plan', async (filters, count) => {
  sent = [];
  const toId = ({ id }: { id: string }) => id as never;
  const page = await listClaims(sql, testCaller(tenant), filters, toId);
  expect(page.data).toHaveLength(count);
  for (const statement of sent) {
    const { pages, discarded } = await costOfPlans(database.url('claims'), statement);
    expect(pages).toBeLessThan(700);
    expect(discarded).toBeLessThan(150);
  }
});

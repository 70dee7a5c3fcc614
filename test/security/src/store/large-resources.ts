/** SQL that inserts large resources, which the API can't create in reasonable time. */

import { newId } from '@carecover/domain';
import { connectPostgres, jsonb, type Sql } from '@carecover/postgres';
import { CLAIM_TABLES, type CopiedTable, insertCopies } from '@carecover/testing/stack';

const REMITTANCE_TABLES: readonly CopiedTable[] = [
  {
    schema: 'payments',
    name: 'remittances',
    key: 'id',
    changes: `jsonb_build_object('id', copy.id, 'payer_reference', copy.id, 'payer_reference_key', copy.id, 'payer_reference_search', upper(copy.id), 'status', 'reconciled', 'reconciled_at', now())`,
  },
  {
    schema: 'payments',
    name: 'remittance_allocations',
    key: 'remittance_id',
    changes: `jsonb_build_object('remittance_id', copy.id)`,
  },
];

async function withDatabase<T>(databaseUrl: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connectPostgres(databaseUrl, 1, 'security-test');
  try {
    await sql`set statement_timeout = '5min'`;
    return await work(sql);
  } finally {
    await sql.end();
  }
}

const newIds = (prefix: string, count: number) => Array.from({ length: count }, () => newId(prefix));

/** Inserts copies of an adjudicated claim, and returns their IDs. */
export async function insertClaimCopies(databaseUrl: string, claimId: string, count: number) {
  const ids = newIds('clm_', count);
  await withDatabase(databaseUrl, (sql) => insertCopies(sql, sql, CLAIM_TABLES, claimId, ids));
  return ids;
}

/** Inserts reconciled copies of a remittance. */
export function insertRemittanceCopies(databaseUrl: string, remittanceId: string, count: number) {
  return withDatabase(databaseUrl, (sql) =>
    insertCopies(sql, sql, REMITTANCE_TABLES, remittanceId, newIds('rem_', count)),
  );
}

/** Inserts fulfilled information requests of a claim that has none. */
export function insertInformationRequests(
  databaseUrl: string,
  claimId: string,
  count: number,
  evidenceTypes: readonly string[],
) {
  return withDatabase(databaseUrl, async (sql) => {
    await sql`
      insert into claims.information_requests (id, claim_id, project_id, number, reason_code, requested_evidence_types, status, created_at,
        resolved_at)
      select made.id, claim.id, project_id, number, 'notes_missing', ${jsonb(evidenceTypes)}::jsonb, 'fulfilled', now(), now()
      from claims.claims claim, unnest(${newIds('cir_', count)}::text[]) with ordinality as made (id, number)
      where claim.id = ${claimId}`;
  });
}

const PRACTITIONERS = 500;
const PAYERS = 8;

/**
 * Inserts small claims of a project with what payers owe for them. They were submitted during the last year, and everything about them was
 * recorded in the last minutes, so that no month of their records is closed.
 */
export function fillPortfolio(databaseUrl: string, projectId: string, claims: number) {
  return withDatabase(databaseUrl, async (sql) => {
    await sql`
      insert into benefits.payer_contracts (id, project_id, reference)
      select 'payer_' || n, ${projectId}, 'contract/' || n from generate_series(0, ${PAYERS - 1}::integer) n`;
    await sql`
      insert into claims.claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key, provider_claim_reference_search, eligibility_check_id, session_id, booking_id,
        practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
        adjudication_version, decision, approved, patient_responsibility, adjustment, last_sequence, event_version, last_recorded_at,
        last_effective_at, created_at, submitted_at)
      select 'clm_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(${projectId} || n), 1, 19),
        ${projectId}, 'sandbox', n, n, n, 'elig_', 'ses_' || n, 'bkg_', 'prc_' || n % ${PRACTITIONERS}::integer, 'payer_' || n % ${PAYERS}::integer,
        'plan', at, at, '[]', 'KES', 1000, 'denied', 1, 1, 'denied', 0, 0, 0, 4, 1, now(), at, at, at
      from generate_series(1, ${claims}::integer) n cross join lateral (select now() - (1 + n % 365) * interval '1 day' as at) as made`;
    await sql`
      insert into claims.portfolio_deltas (claim_id, recorded_at, effective_at, status, project_id, claims, outstanding_claims,
        adjudicated_claims, billed, payer_liability, patient_responsibility, adjustment, remitted, settled, outstanding)
      select id, now() - interval '1 minute', submitted_at, 'approved', project_id, 1, 1, 1, 1000, 1000, 0, 0, 0, 0, 1000
      from claims.claims where project_id = ${projectId} and plan = 'plan'`;
    await sql`analyze claims.claims, claims.portfolio_deltas`;
  });
}

const GROUPS = 5_000;

/** Inserts a copy of a ready valuation run that has the greatest number of groups, and returns its ID. */
export async function insertLargeRun(databaseUrl: string, runId: string): Promise<string> {
  const id = newId('vrun_');
  const groups = Array.from({ length: GROUPS }, (_, index) => ({
    currency: 'KES',
    status: 'approved',
    practitioner_id: newId('prc_'),
    payer_reference: `payer_${index % PAYERS}`,
    plan: 'plan',
    service_month: '2026-01',
    submission_month: '2026-01',
    age_band: 'days_over_90',
    claim_count: index,
    amount: {
      billed: 1_000_000 + index,
      payer_liability: 900_000 + index,
      patient_responsibility: 100_000,
      adjustment: 0,
      remitted: 0,
      settled: 0,
      outstanding: 900_000 + index,
    },
  }));
  const tables = [
    {
      schema: 'claims',
      name: 'valuation_runs',
      key: 'id',
      changes: `jsonb_build_object('id', copy.id, 'groups', '${JSON.stringify(groups)}'::jsonb)`,
    },
  ];
  await withDatabase(databaseUrl, (sql) => insertCopies(sql, sql, tables, runId, [id]));
  return id;
}

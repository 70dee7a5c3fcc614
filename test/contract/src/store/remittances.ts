/** SQL that inserts remittances. */
import { CLAIM_REMITTANCE_LIMIT } from '@carecover/contract';
import { connectPostgres } from '@carecover/postgres';

/**
 * Inserts the maximum number of remittances of a claim that has none, without postings. They are reconciled, so that no workflow is started
 * for them.
 */
export async function fillWithRemittances(databaseUrl: string, claimId: string): Promise<void> {
  const sql = connectPostgres(databaseUrl, 1, 'contract-test');
  try {
    await sql`
      with filler as (
        insert into payments.remittances
          (id, project_id, environment, payer_reference, payer_reference_key, payer_reference_search, currency, total, received_at, deadline, status, reconciled_at)
        select 'rem_' || replace(gen_random_uuid()::text, '-', ''), project_id, environment, reference, reference, upper(reference), currency, 1,
          platform.now(), platform.now(), 'reconciled', platform.now()
        from payments.claim_accounts, generate_series(1, ${CLAIM_REMITTANCE_LIMIT}::integer) position,
          lateral (select claim_id || '-' || position as reference) made
        where claim_id = ${claimId}
        returning id
      )
      insert into payments.remittance_allocations
        (remittance_id, claim_id, position, paid_amount, settled, reason_codes, adjudication_version)
      select id, ${claimId}, 0, 1, 1, '[]', 1 from filler`;
  } finally {
    await sql.end();
  }
}

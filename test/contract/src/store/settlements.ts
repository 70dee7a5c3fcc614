/** SQL that inserts settlements. */
import { REMITTANCE_SETTLEMENT_LIMIT } from '@carecover/contract';
import { connectPostgres } from '@carecover/postgres';

/** Inserts the maximum number of settlements of a remittance that has none. They are reversed, so that the remittance stays as it is. */
export async function fillWithSettlements(databaseUrl: string, remittanceId: string): Promise<void> {
  const sql = connectPostgres(databaseUrl, 1, 'contract-test');
  try {
    await sql`
      insert into payments.settlements
        (id, project_id, remittance_id, position, source_reference, source_reference_key, source_reference_search, currency, amount, allocations, status, observed_at)
      select 'stl_' || replace(gen_random_uuid()::text, '-', ''), project_id, id, position,
        reference, reference, upper(reference), currency, 1, '[]', 'reversed', received_at
      from payments.remittances, generate_series(1, ${REMITTANCE_SETTLEMENT_LIMIT}::integer) position,
        lateral (select id || '-' || position as reference) made
      where id = ${remittanceId}`;
  } finally {
    await sql.end();
  }
}

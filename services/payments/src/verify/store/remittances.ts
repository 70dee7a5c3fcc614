/** Compares remittances and settlements with their postings, and enqueues notifications to the claims service again. */
import type { Sql, Tx } from '@carecover/platform';
import type { RemittanceRow } from '../../store/remittances';
import type { SettlementRow } from '../../store/settlements';
import type { Difference } from '../difference';

const PAGE = 500;

/**
 * Checks that allocations of remittances and their postings correspond one to one, and that a remittance's total is the sum of its
 * allocations.
 */
export async function adviceDifferences(tx: Tx): Promise<Difference[]> {
  const rows = await tx<{ subject: string; claim_id: string; allocated: string; posted: string }[]>`
    with posted as (
      select cause as subject, claim_id, sum(amount) as posted from payments.postings
      where source = 'payer_liability' and destination = 'remitted' group by cause, claim_id
    ), allocated as (
      select remittance_id as subject, claim_id, paid_amount as allocated from payments.remittance_allocations
    )
    select subject, claim_id, coalesce(allocated, 0)::text as allocated, coalesce(posted, 0)::text as posted
    from allocated full join posted using (subject, claim_id)
    where coalesce(allocated, 0) <> coalesce(posted, 0)
    order by subject, claim_id`;
  const totals = await tx<{ id: string; total: number; sum: string }[]>`
    select id, total, coalesce(sum(paid_amount), 0)::text as sum
    from payments.remittances left join payments.remittance_allocations on remittance_id = id
    group by id having total <> coalesce(sum(paid_amount), 0) order by id`;
  return [
    ...rows.map(({ subject, claim_id, allocated, posted }) => ({
      subject,
      says: `allocates ${allocated} to ${claim_id}, but ${posted} is posted`,
    })),
    ...totals.map(({ id, total, sum }) => ({ subject: id, says: `totals ${total}, but allocates ${sum}` })),
  ];
}

/** Checks that the postings of each settlement sum to its allocations if it is matched, and otherwise to zero. */
export async function settlementDifferences(tx: Tx): Promise<Difference[]> {
  const rows = await tx<{ subject: string; claim_id: string; shown: string; posted: string }[]>`
    with posted as (
      select split_part(cause, ':', 1) as subject, claim_id,
        sum(case when source = 'remitted' then amount else -amount end) as posted
      from payments.postings
      where (source = 'remitted' and destination = 'cash_observed') or (source = 'cash_observed' and destination = 'remitted')
      group by 1, 2
    ), shown as (
      select id as subject, part.claim_id, part.amount as shown
      from payments.settlements,
        lateral jsonb_to_recordset(allocations) as part (claim_id text, amount bigint)
      where status = 'matched'
    )
    select subject, claim_id, coalesce(shown, 0)::text as shown, coalesce(posted, 0)::text as posted
    from shown full join posted using (subject, claim_id)
    where coalesce(shown, 0) <> coalesce(posted, 0)
    order by subject, claim_id`;
  const settled = await tx<{ remittance_id: string; claim_id: string; settled: number; sum: string }[]>`
    select allocation.remittance_id, allocation.claim_id, allocation.settled, coalesce(sum(part.amount), 0)::text as sum
    from payments.remittance_allocations allocation
    left join (
      select remittance_id, part.claim_id, part.amount
      from payments.settlements, lateral jsonb_to_recordset(allocations) as part (claim_id text, amount bigint)
      where status = 'matched'
    ) part using (remittance_id, claim_id)
    group by allocation.remittance_id, allocation.position, allocation.claim_id, allocation.settled
    having allocation.settled <> coalesce(sum(part.amount), 0)
    order by 1, 2`;
  return [
    ...rows.map(({ subject, claim_id, shown, posted }) => ({
      subject,
      says: `settles ${shown} of ${claim_id}, but ${posted} is posted`,
    })),
    ...settled.map(({ remittance_id, claim_id, settled: kept, sum }) => ({
      subject: remittance_id,
      says: `keeps ${kept} of ${claim_id} as settled, but its observations settle ${sum}`,
    })),
  ];
}

/** Reads one page of the remittances of all projects, by ID, after `after`, with their unreversed settlements. */
export async function readRemittances(
  tx: Tx,
  after: string,
): Promise<{ remittances: RemittanceRow[]; settlements: SettlementRow[] }> {
  const remittances = await tx<RemittanceRow[]>`
    select * from payments.remittances where id > ${after} order by id limit ${PAGE}`;
  const ids = remittances.map(({ id }) => id);
  const settlements = await tx<SettlementRow[]>`
    select * from payments.settlements where remittance_id = any(${ids}) and status <> 'reversed' order by position`;
  return { remittances: [...remittances], settlements: [...settlements] };
}

/**
 * Marks all notifications about the remittances of these claims as pending, so that the sweep sends them again. The claims service ignores
 * those that it has recorded. Because a notification waits for the previous one of each of its claims, remittances that share a claim with
 * these, directly or through other remittances, are included.
 *
 * @param sql a connection of an operator
 * @returns the number of remittances whose notifications are sent again
 */
export async function resendToClaims(sql: Sql, claimIds: readonly string[]): Promise<number> {
  const rows = await sql`
    with recursive connected as (
      select remittance_id from payments.remittance_allocations where claim_id = any(${[...claimIds]})
      union
      select other.remittance_id
      from connected
      join payments.remittance_allocations own on own.remittance_id = connected.remittance_id
      join payments.remittance_allocations other on other.claim_id = own.claim_id
    )
    update payments.claims_records set recorded_at = null
    where remittance_id in (select remittance_id from connected)
    returning remittance_id`;
  return new Set(rows.map(({ remittance_id }) => remittance_id)).size;
}

/** Compares remittances and settlements with their postings, and remittances' statuses with the evaluated statuses. */
import type { Tx } from '@carecover/platform';
import { evaluate } from '../reconciliation/outcome';
import type { RemittanceRow } from '../store/remittances';
import { observationOf, type SettlementRow } from '../store/settlements';
import type { Difference } from './difference';

/** Tolerance for a deadline's timer. */
const LATE_MS = 5 * 60_000;
const PAGE = 500;

/** Checks that each allocation has a posting and each such posting an allocation, and that a remittance's total is the sum. */
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

/** Checks that the postings of each settlement sum to its allocations if it is matched, and to zero otherwise. */
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

/** Checks that each remittance has the status that its evaluation gives. */
export async function stateDifferences(tx: Tx, now: Date): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (let after = ''; ; ) {
    const remittances = await tx<RemittanceRow[]>`
      select * from payments.remittances where id > ${after} order by id limit ${PAGE}`;
    const ids = remittances.map(({ id }) => id);
    const settlements = await tx<SettlementRow[]>`
      select * from payments.settlements where remittance_id = any(${ids}) and status <> 'reversed' order by position`;
    for (const remittance of remittances) {
      const says = stateDifference(remittance, settlements, now);
      if (says !== null) differences.push({ subject: remittance.id, says });
    }
    const last = ids.at(-1);
    if (last === undefined) return differences;
    after = last;
  }
}

function stateDifference(
  remittance: RemittanceRow,
  settlements: readonly SettlementRow[],
  now: Date,
): string | null {
  const { id, currency, total, status } = remittance;
  const unreversed = settlements.filter((row) => row.remittance_id === id).map(observationOf);
  const deadline = remittance.deadline.getTime();
  const evaluated = evaluate({ currency, total, deadline }, unreversed, now.getTime());
  if (evaluated === status) return null;
  const lateOnly = status === 'received' && now.getTime() < deadline + LATE_MS;
  if (
    lateOnly &&
    evaluate({ currency, total, deadline: deadline + LATE_MS }, unreversed, now.getTime()) === status
  )
    return null;
  return `is ${status}, but its observations and the clock make it ${evaluated}`;
}

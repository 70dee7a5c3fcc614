/** SQL that sums the outstanding amounts of a project's claims. */
import type { Caller, Db } from '@carecover/platform';
import type { OutstandingSum } from '../rules/receivables';
import { ageBandOf, isIncluded } from './portfolio';

/**
 * Sums the outstanding amounts of the claims that the client can read, as they were known at `at` (epoch milliseconds): per currency and
 * age band, for all claims together, for each practitioner and for each payer. Sums of 0 are left out.
 */
export async function sumOutstandingAt(
  db: Db,
  { tenant, resourceIds }: Pick<Caller, 'tenant' | 'resourceIds'>,
  at: number,
  currency: string | undefined,
): Promise<OutstandingSum[]> {
  const condition = db`
    ${isIncluded(db, tenant, { knownAt: at, effectiveThrough: at })}
    ${resourceIds === null ? db`` : db`and claim.id = any(${[...resourceIds]})`}
    ${currency === undefined ? db`` : db`and claim.currency = ${currency}`}`;
  const rows = await db<(Omit<OutstandingSum, 'amount'> & { amount: string })[]>`
    with change as (
      select claim.currency, claim.practitioner_id, claim.payer_id, delta.outstanding_claims, delta.outstanding,
        ${ageBandOf(db, at)} as age
      from portfolio_deltas delta join claims claim on claim.id = delta.claim_id
      where ${condition}
    )
    select currency, practitioner_id, payer_id, age, sum(outstanding_claims)::integer as claim_count,
      sum(outstanding)::text as amount
    from change
    group by grouping sets ((currency, age), (currency, practitioner_id, age), (currency, payer_id, age))
    having sum(outstanding) <> 0`;
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

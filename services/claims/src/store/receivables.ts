/** SQL that sums the outstanding amounts of a project's claims. */
import type { Caller, Db } from '@carecover/platform';
import { AGE_LIMITS_DAYS, type OutstandingSum } from '../rules/receivables';
import { claimsKnownAt } from './claims-known-at';

/**
 * Sums the outstanding amounts of the claims that the caller can read, as they were known at `at` (epoch milliseconds): per currency and
 * age band over all of these claims, per practitioner, and per payer.
 */
export async function sumOutstandingAt(
  db: Db,
  { tenant, resourceIds }: Pick<Caller, 'tenant' | 'resourceIds'>,
  at: number,
  currency: string | undefined,
): Promise<OutstandingSum[]> {
  const condition = db`
    ${resourceIds === null ? db`` : db`and c.id = any(${[...resourceIds]})`}
    ${currency === undefined ? db`` : db`and c.currency = ${currency}`}`;
  const rows = await db<(Omit<OutstandingSum, 'amount'> & { amount: string })[]>`
    with receivable as (
      select currency, practitioner_id, payer_id, is_closed, payer_liability - settled as amount,
        width_bucket(floor(extract(epoch from ${new Date(at)}::timestamptz - submitted_at) / 86400)::integer,
          ${[...AGE_LIMITS_DAYS]}::integer[]) as age
      from ${claimsKnownAt(db, tenant, at, condition)} known
      where payer_liability > settled
    )
    select currency, practitioner_id, payer_id, age, count(*)::integer as claim_count,
      (count(*) filter (where is_closed))::integer as closed_claim_count, sum(amount)::text as amount
    from receivable
    group by grouping sets ((currency, age), (currency, practitioner_id, age), (currency, payer_id, age))`;
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

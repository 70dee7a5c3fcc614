/** Recomputes every balance from the postings and compares it with the stored balance. */
import type { Tx } from '@carecover/platform';
import { accounts } from '../../rules/chart-of-accounts';
import type { Difference } from '../difference';

export async function balanceDifferences(tx: Tx): Promise<Difference[]> {
  const rows = await tx<{ claim_id: string; account: string; kept: string; posted: string }[]>`
    with posted as (
      select claim_id, account::text as account, sum(amount) as posted
      from (
        select claim_id, destination as account, amount from payments.postings
        union all
        select claim_id, source, -amount from payments.postings
      ) sides
      group by claim_id, account
    ), kept as (
      select claim_id, balance.account, balance.kept::numeric as kept
      from payments.claim_accounts,
        lateral jsonb_each_text(to_jsonb(claim_accounts)) as balance (account, kept)
      where balance.account = any(${[...accounts]})
    )
    select claim_id, account, coalesce(kept, 0)::text as kept, coalesce(posted, 0)::text as posted
    from kept full join posted using (claim_id, account)
    where coalesce(kept, 0) <> coalesce(posted, 0)
    order by claim_id, account`;
  return rows.map(({ claim_id, account, kept, posted }) => ({
    subject: claim_id,
    says: `${account} is kept as ${kept}, but its postings sum to ${posted}`,
  }));
}

/** Checks that the balances of all accounts sum to zero in each currency. */
export async function currencyDifferences(tx: Tx): Promise<Difference[]> {
  const rows = await tx<{ currency: string; sum: string }[]>`
    select currency, sum(charges::numeric + payer_liability + patient_responsibility + adjustment + remitted
      + cash_observed + recoverable + provider)::text as sum
    from payments.claim_accounts group by currency
    having sum(charges::numeric + payer_liability + patient_responsibility + adjustment + remitted
      + cash_observed + recoverable + provider) <> 0`;
  return rows.map(({ currency, sum }) => ({
    subject: currency,
    says: `all accounts sum to ${sum}, not to 0`,
  }));
}

/** Checks that the recoverable amount is the settled amount on reversed claims, and zero on the others. */
export async function recoverableDifferences(tx: Tx): Promise<Difference[]> {
  const rows = await tx<{ claim_id: string; recoverable: number; due: number }[]>`
    select claim_id, recoverable, due
    from (select claim_id, recoverable, case when reversed_at is null then 0 else cash_observed end as due
          from payments.claim_accounts) claim
    where recoverable <> due order by claim_id`;
  return rows.map(({ claim_id, recoverable, due }) => ({
    subject: claim_id,
    says: `recoverable is ${recoverable}, but ${due} is settled on it as a reversed claim`,
  }));
}

/** Removes the statement timeout for this transaction, because the checks read whole tables. */
export async function removeStatementTimeout(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`;
}

/** Counts the postings, the claims with accounts and the remittances that are verified. */
export async function countRows(tx: Tx): Promise<{ postings: number; claims: number; remittances: number }> {
  const [counts] = await tx<{ postings: number; claims: number; remittances: number }[]>`
    select (select count(*) from payments.postings) as postings,
           (select count(*) from payments.claim_accounts) as claims,
           (select count(*) from payments.remittances) as remittances`;
  return counts ?? { postings: 0, claims: 0, remittances: 0 };
}

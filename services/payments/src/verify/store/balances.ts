/** Recomputes the balances of selected claims from their postings, and compares them with the stored balances. */
import type { Tx } from '@carecover/postgres';
import { accounts } from '../../rules/chart-of-accounts';
import type { Difference } from '../difference';
import { isSelected, type Selection } from './selection';

export async function balanceDifferences(tx: Tx, claims: Selection): Promise<Difference[]> {
  const isClaimSelected = isSelected(tx, 'claim_id', claims);
  const rows = await tx<{ claim_id: string; account: string; kept: string; posted: string }[]>`
    with posted as (
      select claim_id, account::text as account, sum(amount) as posted
      from (
        select claim_id, destination as account, amount from payments.postings where ${isClaimSelected}
        union all
        select claim_id, source, -amount from payments.postings where ${isClaimSelected}
      ) sides
      group by claim_id, account
    ), kept as (
      select claim_id, balance.account, balance.kept::numeric as kept
      from payments.claim_accounts,
        lateral jsonb_each_text(to_jsonb(claim_accounts)) as balance (account, kept)
      where balance.account = any(${[...accounts]}) and ${isClaimSelected}
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

/** Checks that the balances of each claim's accounts sum to zero. The balances of all accounts in a currency then sum to zero as well. */
export async function sumDifferences(tx: Tx, claims: Selection): Promise<Difference[]> {
  const rows = await tx<{ claim_id: string; currency: string; sum: string }[]>`
    select claim_id, currency, sum::text
    from payments.claim_accounts, lateral (select charges::numeric + payer_liability + patient_responsibility + adjustment
      + remitted + cash_observed + recoverable + provider as sum) as total
    where sum <> 0 and ${isSelected(tx, 'claim_id', claims)} order by claim_id`;
  return rows.map(({ claim_id, currency, sum }) => ({
    subject: claim_id,
    says: `its accounts sum to ${sum} ${currency}, not to 0`,
  }));
}

/** Checks that the recoverable amount is the settled amount on reversed claims, and zero on the others. */
export async function recoverableDifferences(tx: Tx, claims: Selection): Promise<Difference[]> {
  const rows = await tx<{ claim_id: string; recoverable: number; due: number }[]>`
    select claim_id, recoverable, due
    from (select claim_id, recoverable, case when reversed_at is null then 0 else greatest(cash_observed, 0) end as due
          from payments.claim_accounts where ${isSelected(tx, 'claim_id', claims)}) claim
    where recoverable <> due order by claim_id`;
  return rows.map(({ claim_id, recoverable, due }) => ({
    subject: claim_id,
    says: `recoverable is ${recoverable}, but ${due} is settled on it as a reversed claim`,
  }));
}

/** Counts the postings and the accounts of selected claims. */
export async function countClaims(tx: Tx, claims: Selection): Promise<{ postings: number; claims: number }> {
  const isClaimSelected = isSelected(tx, 'claim_id', claims);
  const [counts] = await tx<{ postings: number; claims: number }[]>`
    select (select count(*) from payments.postings where ${isClaimSelected}) as postings,
           (select count(*) from payments.claim_accounts where ${isClaimSelected}) as claims`;
  return counts ?? { postings: 0, claims: 0 };
}

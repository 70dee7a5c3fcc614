/**
 * Compares the amounts of claims in the claims service with the ledger. Requires a connection of an operator, which can read both schemas.
 * Claims with a pending notification or a pending step are counted and not compared.
 */
import type { Tx } from '@carecover/postgres';
import type { Difference } from '../difference';
import { isSelected, type Selection } from './selection';

interface ComparedRow {
  readonly claim_id: string;
  readonly in_flight: boolean;
  readonly shown: Record<Amount, string | null> | null;
  readonly ledger: Record<Amount, string | null>;
}

const AMOUNTS = ['approved', 'remitted', 'settled'] as const;
type Amount = (typeof AMOUNTS)[number];

export interface ClaimsComparison {
  readonly differences: Difference[];
  /** Number of claims whose amounts differ and that have a pending notification or a pending step. */
  readonly inFlight: number;
}

export async function compareWithClaims(tx: Tx, claims: Selection): Promise<ClaimsComparison> {
  const rows = await tx<ComparedRow[]>`
    select account.claim_id,
      claim.pending_step is not null or exists (
        select 1 from payments.claims_notifications record
        join payments.remittance_claims line using (remittance_id)
        where line.claim_id = account.claim_id and record.recorded_at is null) as in_flight,
      case when claim.id is not null then jsonb_build_object(
        'approved', claim.approved::text,
        'remitted', coalesce(claim.remitted, 0)::text,
        'settled', coalesce(claim.settled, 0)::text) end as shown,
      jsonb_build_object(
        'approved', account.approved::text,
        'remitted', (account.remitted + account.cash_observed)::text,
        'settled', account.settled::text) as ledger
    from payments.claim_accounts account
    left join claims.claims claim on claim.id = account.claim_id
    where ${isSelected(tx, 'account.claim_id', claims)} and (
      claim.id is null
      or claim.approved is distinct from account.approved
      or coalesce(claim.remitted, 0) <> account.remitted + account.cash_observed
      or coalesce(claim.settled, 0) <> account.settled)
    order by account.claim_id`;
  const missing = await tx<{ id: string; remitted: number; settled: number }[]>`
    select id, coalesce(remitted, 0) as remitted, coalesce(settled, 0) as settled from claims.claims claim
    where ${isSelected(tx, 'id', claims)} and (decision is not null or remitted > 0 or settled > 0)
      and not exists (select 1 from payments.claim_accounts where claim_id = claim.id)
    order by id`;
  const settledRows = rows.filter((row) => !row.in_flight);
  return {
    differences: [
      ...settledRows.flatMap(differencesOf),
      ...missing.map(({ id }) => ({ subject: id, says: 'is adjudicated in claims, but has no account' })),
    ],
    inFlight: rows.length - settledRows.length,
  };
}

function differencesOf({ claim_id, shown, ledger }: ComparedRow): Difference[] {
  if (shown === null) return [{ subject: claim_id, says: 'has an account, but claims does not know it' }];
  return AMOUNTS.filter((amount) => shown[amount] !== ledger[amount]).map((amount) => ({
    subject: claim_id,
    says: `${amount} is ${shown[amount]} in claims, but ${ledger[amount]} in the ledger`,
  }));
}

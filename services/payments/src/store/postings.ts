/** Writes postings; a database trigger updates the balances in the same statement. */
import { type Db, type Fragment, jsonb, type Tx } from '@carecover/platform';
import type { PostingGroup } from '../rules/chart-of-accounts';

/** The number of latest postings whose claims {@link countDifferences} checks; `carecover ledger verify` checks the whole ledger. */
const LATEST_POSTINGS = 1_000;

/**
 * SQL that posts groups of moves in their order, in one statement, so that each balance is written once. The transaction must hold
 * the locks of the claims' accounts. It fails if a balance would violate its constraint. Null if there is no move.
 */
export function insertPostings(db: Db, groups: readonly PostingGroup[]): Fragment | null {
  const rows = groups.flatMap(({ entry, moves }) =>
    moves.map(({ claimId, source, destination, amount }) => ({
      project_id: entry.tenant,
      claim_id: claimId,
      source,
      destination,
      amount,
      currency: entry.currency,
      cause: entry.cause,
      effective_at: entry.effectiveAt.toISOString(),
      recorded_at: entry.recordedAt.toISOString(),
    })),
  );
  if (rows.length === 0) return null;
  return db`
    insert into postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at, recorded_at)
    select * from jsonb_to_recordset(${jsonb(rows)})
      as move (project_id text, claim_id text, source account, destination account, amount bigint, currency text,
               cause text, effective_at timestamptz, recorded_at timestamptz)`;
}

/** Executes {@link insertPostings}. */
export async function post(tx: Tx, groups: readonly PostingGroup[]): Promise<void> {
  await insertPostings(tx, groups);
}

/** Counts the claims of all projects with a recent posting whose balances are not the sums of their postings. */
export async function countDifferences(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    with recent as (
      select distinct claim_id from (select claim_id from postings order by id desc limit ${LATEST_POSTINGS}) latest
    ), sides as (
      select claim_id, destination as account, amount from postings where claim_id in (select claim_id from recent)
      union all
      select claim_id, source, -amount from postings where claim_id in (select claim_id from recent)
    ), sums as (
      select claim_id, account, sum(amount) as balance from sides group by claim_id, account
    )
    select count(distinct claim_id) as count
    from claim_accounts join recent using (claim_id)
    cross join lateral (values
      ('charges'::account, charges), ('payer_liability', payer_liability),
      ('patient_responsibility', patient_responsibility), ('adjustment', adjustment), ('remitted', remitted),
      ('cash_observed', cash_observed), ('recoverable', recoverable), ('provider', provider)
    ) held (account, balance)
    left join sums using (claim_id, account)
    where held.balance <> coalesce(sums.balance, 0)`;
  return Number(row?.count ?? 0);
}

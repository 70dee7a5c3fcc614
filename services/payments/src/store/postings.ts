/** SQL that inserts postings. A database trigger updates the balances in the same SQL statement. */

import type { Tenant } from '@carecover/domain';
import { type Db, type Fragment, jsonb, type Query, type Tx } from '@carecover/postgres';
import type { PostingGroup } from '../rules/chart-of-accounts';

/** How many of the latest postings {@link countDifferences} checks; `carecover ledger verify` checks all. */
const LATEST_POSTINGS = 1_000;

/**
 * Returns one SQL statement that posts groups of lines in their order, so that each balance is updated once; null if there is no line. The
 * transaction must have locked the accounts of the claims. The statement fails if a balance would violate a constraint.
 */
export function insertPostings(db: Db, groups: readonly PostingGroup[]): Fragment | null {
  const rows = groups.flatMap(({ entry, lines }) =>
    lines.map(({ claimId, source, destination, amount }) => ({
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
      as line (project_id text, claim_id text, source account, destination account, amount bigint, currency text,
               cause text, effective_at timestamptz, recorded_at timestamptz)`;
}

/** Returns the query that posts groups of lines with the statement of {@link insertPostings}; null if there is no line. */
export function post(tx: Tx, groups: readonly PostingGroup[]): Query<unknown> | null {
  const inserted = insertPostings(tx, groups);
  return inserted && tx`${inserted}`;
}

/** A posting, as operators see it. */
export interface Posting {
  readonly source: string;
  readonly destination: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly cause: string;
  readonly effective_at: Date;
  readonly recorded_at: Date;
}

/** Reads the newest postings of a claim, in the order of recording. A claim of another project has none. */
export async function postingsOfClaim(
  db: Db,
  tenant: Tenant,
  claimId: string,
  limit: number,
): Promise<Posting[]> {
  const newest = await db<Posting[]>`
    select source, destination, amount, currency, cause, effective_at, recorded_at from postings
    where claim_id = ${claimId} and project_id = ${tenant} order by id desc limit ${limit}`;
  return [...newest].reverse();
}

/**
 * Checks the claims of the {@link LATEST_POSTINGS} latest postings of all projects. Counts those claims whose balances differ from the
 * sums of all their postings.
 */
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

/**
 * The proof that the books are right: everything that can be derived is derived again, from one moment's snapshot, and
 * compared with what is kept. It changes nothing. {@link resendToClaims} is the repair of what claims missed.
 */
import { databaseNow, type Sql } from '@carecover/platform';
import { balanceDifferences, currencyDifferences, recoverableDifferences } from './balances';
import { compareWithClaims } from './claims';
import type { Difference } from './difference';
import { postingDifferences } from './postings';
import { adviceDifferences, settlementDifferences, stateDifferences } from './remittances';

export type { Difference } from './difference';

export interface Verification {
  /** Empty where the books are right. */
  readonly differences: readonly Difference[];
  /** Claims that can't be compared at this moment, since a record of theirs is on its way. */
  readonly inFlight: number;
  readonly postings: number;
  readonly claims: number;
  readonly remittances: number;
}

/**
 * @param sql as a role that reads the schemas of payments and claims: the operator's
 * @param options.claims false where there is no claims schema beside it
 */
export function verifyLedger(sql: Sql, options: { readonly claims?: boolean } = {}): Promise<Verification> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local statement_timeout = 0`;
    const claims = options.claims === false ? { differences: [], inFlight: 0 } : await compareWithClaims(tx);
    const differences = [
      ...(await balanceDifferences(tx)),
      ...(await currencyDifferences(tx)),
      ...(await recoverableDifferences(tx)),
      ...(await postingDifferences(tx, options.claims !== false)),
      ...(await adviceDifferences(tx)),
      ...(await settlementDifferences(tx)),
      ...(await stateDifferences(tx, await databaseNow(tx))),
      ...claims.differences,
    ];
    const [counts] = await tx<{ postings: number; claims: number; remittances: number }[]>`
      select (select count(*) from payments.postings) as postings,
             (select count(*) from payments.claim_accounts) as claims,
             (select count(*) from payments.remittances) as remittances`;
    const { postings = 0, claims: accounts = 0, remittances = 0 } = counts ?? {};
    return { differences, inFlight: claims.inFlight, postings, claims: accounts, remittances };
  });
}

/**
 * Has claims told again all that payments recorded about these claims, in order; claims keeps each record once, so only what
 * it missed is added. A record waits for the one before it on each of its claims, so every remittance is told again that shares a
 * claim with one that is. The sweep does the telling within seconds. Gives how many remittances are told again.
 */
export async function resendToClaims(sql: Sql, claimIds: readonly string[]): Promise<number> {
  const rows = await sql`
    with recursive retold as (
      select remittance_id from payments.remittance_allocations where claim_id = any(${[...claimIds]})
      union
      select other.remittance_id
      from retold
      join payments.remittance_allocations own on own.remittance_id = retold.remittance_id
      join payments.remittance_allocations other on other.claim_id = own.claim_id
    )
    update payments.claims_records set told_at = null
    where remittance_id in (select remittance_id from retold)
    returning remittance_id`;
  return new Set(rows.map(({ remittance_id }) => remittance_id)).size;
}

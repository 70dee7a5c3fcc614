/**
 * Verifies the ledger: recomputes everything that can be derived, in one snapshot, and compares it with the stored values. It changes
 * nothing. {@link resendToClaims} repairs what the claims service missed.
 */
import { databaseNow, type Sql } from '@carecover/platform';
import { balanceDifferences, currencyDifferences, recoverableDifferences } from './balances';
import { compareWithClaims } from './claims';
import type { Difference } from './difference';
import { postingDifferences } from './postings';
import { adviceDifferences, settlementDifferences, stateDifferences } from './remittances';

export type { Difference } from './difference';

export interface Verification {
  /** Empty if the ledger is correct. */
  readonly differences: readonly Difference[];
  /** Claims that can't be compared now, because they have a pending notification or step. */
  readonly inFlight: number;
  readonly postings: number;
  readonly claims: number;
  readonly remittances: number;
}

/**
 * Verifies the whole ledger.
 *
 * @param sql an operator's connection, which can read the schemas of payments and claims
 * @param options.claims false if the database has no claims schema
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
 * Marks all notifications of these claims' remittances as pending, so that the sweep sends them again within seconds. Claims ignores those
 * that it has recorded. A notification waits for the previous one of each of its claims, so remittances that share a claim are included,
 * transitively.
 *
 * @returns the number of remittances
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
    update payments.claims_records set told_at = null
    where remittance_id in (select remittance_id from connected)
    returning remittance_id`;
  return new Set(rows.map(({ remittance_id }) => remittance_id)).size;
}

/**
 * Verifies the ledger: recomputes everything that can be derived, in one snapshot, and compares it with the stored values. It changes
 * nothing. {@link resendToClaims} repairs what the claims service missed.
 */
import { databaseNow, type Sql } from '@carecover/platform';
import type { Difference } from './difference';
import { stateDifferences } from './remittance-states';
import {
  balanceDifferences,
  countRows,
  currencyDifferences,
  recoverableDifferences,
  removeStatementTimeout,
} from './store/balances';
import { compareWithClaims } from './store/claims';
import { postingDifferences } from './store/postings';
import { adviceDifferences, settlementDifferences } from './store/remittances';

export type { Difference } from './difference';
export { resendToClaims } from './store/remittances';

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
    await removeStatementTimeout(tx);
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
    return { ...(await countRows(tx)), differences, inFlight: claims.inFlight };
  });
}

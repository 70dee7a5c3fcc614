/**
 * Verifies the ledger: recomputes all values that can be computed from others and compares them with the stored values, in one database
 * snapshot. It changes nothing. {@link resendToClaims} sends again the notifications that the claims service lost.
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
  /** The differences that were found; empty if the ledger is correct. */
  readonly differences: readonly Difference[];
  /** Number of claims that are not compared, because they have a pending notification or a pending step. */
  readonly inFlight: number;
  readonly postings: number;
  readonly claims: number;
  readonly remittances: number;
}

/**
 * Verifies the whole ledger.
 *
 * @param sql a connection of an operator, which can read the schemas of payments and claims
 * @param options.claims false if the database has no schema of the claims service
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

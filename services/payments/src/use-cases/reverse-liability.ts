/** Reverses the payer's liability for a claim: withdraws what no remittance advised, and records what the provider must repay. */
import { ApiError, allInOrder, databaseNow, type Sql, type Tenant } from '@carecover/platform';
import { approvedOf, reversalOf } from '../rules/chart-of-accounts';
import { recoveryMove, reversalMoves } from '../rules/liability';
import { lockAccounts, setReversed } from '../store/accounts';
import { post } from '../store/postings';

/**
 * Decides under the lock of the claim's account whether the claim can be reversed. Idempotent.
 *
 * @throws ApiError invalid_state if nothing of the claim is approved
 */
export async function reverseLiability(sql: Sql, tenant: Tenant, claimId: string): Promise<void> {
  await sql.begin(async (tx) => {
    const [accounts, now] = await allInOrder([lockAccounts(tx, tenant, [claimId]), databaseNow(tx)]);
    const account = accounts.get(claimId);
    if (account?.reversed) return;
    if (account === undefined || approvedOf(account) === 0)
      throw new ApiError('invalid_state', 'Nothing of the claim is approved.');
    const { currency } = account;
    const entry = { tenant, currency, cause: reversalOf(claimId), effectiveAt: now, recordedAt: now };
    const { cash_observed } = account.balances;
    // Three statements, because the constraints hold after each of them; they are pipelined.
    await allInOrder([
      post(tx, [{ entry, moves: reversalMoves(account) }]),
      setReversed(tx, tenant, claimId, now),
      post(tx, [{ entry, moves: cash_observed > 0 ? [recoveryMove(claimId, cash_observed)] : [] }]),
    ]);
  });
}

/** Reverses the liability of a claim: withdraws the amounts that no remittance has advised, and records what the provider must repay. */
import { ApiError, type Tenant } from '@carecover/domain';
import { databaseNow, type Sql } from '@carecover/postgres';
import { approvedOf, recoverableOf, reversalOf } from '../rules/chart-of-accounts';
import { recoveryLine, reversalLines } from '../rules/liability';
import { lockAccounts, setReversed } from '../store/accounts';
import { post } from '../store/postings';

/**
 * Reverses a claim's liability while the claim's account is locked. Does nothing if the liability is reversed already.
 *
 * @throws ApiError invalid_state if the claim has no approved amount
 */
export async function reverseLiability(sql: Sql, tenant: Tenant, claimId: string): Promise<void> {
  await sql.begin(async (tx) => {
    const [accounts, now] = await tx.pipeline([lockAccounts(tx, tenant, [claimId]), databaseNow(tx)]);
    const account = accounts.get(claimId);
    if (account?.reversed) return;
    if (account === undefined || approvedOf(account) === 0)
      throw new ApiError('invalid_state', 'Nothing of the claim is approved.');
    const { currency } = account;
    const entry = { tenant, currency, cause: reversalOf(claimId), effectiveAt: now, recordedAt: now };
    const recoverable = recoverableOf({ ...account, reversed: true });
    // The changes need three SQL statements, because the table's constraints are checked after each statement.
    await tx.pipeline([
      post(tx, [{ entry, lines: reversalLines(account) }]),
      setReversed(tx, tenant, claimId, now),
      post(tx, [{ entry, lines: recoverable > 0 ? [recoveryLine(claimId, recoverable)] : [] }]),
    ]);
  });
}

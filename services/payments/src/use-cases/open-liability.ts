/**
 * Posts the liabilities of claims' adjudications, and withdraws those of the replaced adjudications. One transaction posts all liabilities of a
 * call.
 */
import { ApiError, notFound, type Tenant } from '@carecover/domain';
import { databaseNow, type Sql } from '@carecover/postgres';
import type { PaymentsForClaims, RejectedLiability } from '@carecover/workflow-claim';
import type { ClaimAccount, PostingGroup } from '../rules/chart-of-accounts';
import { liabilityLines, rejectReplacement } from '../rules/liability';
import { insertAccount, lockAccounts, setAdjudication } from '../store/accounts';
import { post } from '../store/postings';

type LiabilityInput = Omit<Parameters<PaymentsForClaims['openLiability']>[0], 'tenant'>;

/**
 * Posts the liability of an adjudication while the claim's account is locked. Does nothing if the account has this adjudication already.
 *
 * @throws ApiError resource_not_found; invalid_state if the current adjudication can't be replaced
 */
export async function openLiability(sql: Sql, tenant: Tenant, liability: LiabilityInput): Promise<void> {
  const [rejected] = await openLiabilities(sql, tenant, [liability]);
  if (rejected !== undefined) throw new ApiError(rejected.code, rejected.message);
}

/**
 * Posts the liabilities of adjudications of different claims. A rejected one does not affect the others. Does nothing for an account that has
 * the adjudication already.
 *
 * @returns the rejected ones
 */
export async function openLiabilities(
  sql: Sql,
  tenant: Tenant,
  liabilities: readonly LiabilityInput[],
): Promise<RejectedLiability[]> {
  // The rows are inserted and locked in the order of the claims, which prevents deadlocks.
  const sorted = [...liabilities].sort((one, other) => (one.claimId < other.claimId ? -1 : 1));
  return sql.begin(async (tx) => {
    const [areNew, accounts, recordedAt] = await tx.pipeline([
      tx.pipeline(sorted.map((liability) => insertAccount(tx, tenant, liability))),
      lockAccounts(
        tx,
        tenant,
        sorted.map(({ claimId }) => claimId),
      ),
      databaseNow(tx),
    ]);
    const rejected: RejectedLiability[] = [];
    const decided = sorted.flatMap((liability, index) => {
      const { claimId } = liability;
      const isNew = areNew[index] === true;
      try {
        const posting = decidePosting(accounts.get(claimId), isNew, tenant, liability, recordedAt);
        return posting === null ? [] : [{ liability, isNew, posting }];
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        rejected.push({ claimId, code: error.code, message: error.message });
        return [];
      }
    });
    if (decided.length === 0) return rejected;
    const replacements = decided
      .filter(({ isNew }) => !isNew)
      .map(({ liability: { claimId, adjudicationId, adjudicationVersion } }) =>
        setAdjudication(tx, tenant, claimId, adjudicationId, adjudicationVersion),
      );
    await tx.pipeline([
      ...replacements,
      post(
        tx,
        decided.map(({ posting }) => posting),
      ),
    ]);
    return rejected;
  });
}

/**
 * Returns what is posted for a liability; null if it is posted already.
 *
 * @throws ApiError resource_not_found, invalid_state
 */
function decidePosting(
  account: ClaimAccount | undefined,
  isNew: boolean,
  tenant: Tenant,
  { claimId, adjudicationId, adjudicationVersion, currency, amount, decidedAt }: LiabilityInput,
  recordedAt: Date,
): PostingGroup | null {
  if (account === undefined) throw notFound();
  if (!isNew) {
    if (account.adjudicationId === adjudicationId) return null;
    rejectReplacement(account, { version: adjudicationVersion, currency });
  }
  const { withdrawn, opened } = liabilityLines(claimId, isNew ? null : account.balances, amount);
  const effectiveAt = new Date(decidedAt);
  return {
    entry: { tenant, currency, cause: adjudicationId, effectiveAt, recordedAt },
    lines: [...withdrawn, ...opened],
  };
}

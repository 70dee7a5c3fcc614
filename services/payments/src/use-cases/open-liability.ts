/** Posts the liability of a claim's adjudication, and withdraws the liability of the replaced adjudication. */

import { notFound, type Tenant } from '@carecover/domain';
import { databaseNow, type Sql } from '@carecover/postgres';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
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
  const { claimId, adjudicationId, adjudicationVersion, currency, amount } = liability;
  await sql.begin(async (tx) => {
    const [isNew, accounts, recordedAt] = await tx.pipeline([
      insertAccount(tx, tenant, liability),
      lockAccounts(tx, tenant, [claimId]),
      databaseNow(tx),
    ]);
    const account = accounts.get(claimId);
    if (account === undefined) throw notFound();
    if (!isNew) {
      if (account.adjudicationId === adjudicationId) return;
      rejectReplacement(account, { version: adjudicationVersion, currency });
    }
    const { withdrawn, opened } = liabilityLines(claimId, isNew ? null : account.balances, amount);
    const effectiveAt = new Date(liability.decidedAt);
    const entry = { tenant, currency, cause: adjudicationId, effectiveAt, recordedAt };
    await tx.pipeline([
      isNew ? null : setAdjudication(tx, tenant, claimId, adjudicationId, adjudicationVersion),
      post(tx, [{ entry, lines: [...withdrawn, ...opened] }]),
    ]);
  });
}

/**
 * The arbiter's answers to a claim's workflow: may it be adjudicated, may it be reversed. Each is one transaction under the
 * claim's account row, and does nothing new when it is repeated.
 */
import { databaseNow, notFound, Refusal, type Sql, type StepHandlers } from '@carecover/platform';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import { approvedOf } from '../ledger/chart';
import { liabilityMoves, recovery, refuseReplacement, reversalMoves } from '../ledger/liability';
import { insertAccount, lockAccounts, setAdjudication, setReversed } from '../store/accounts';
import { post, reversalOf } from '../store/postings';

export function liabilityActivities(sql: Sql): StepHandlers<PaymentsForClaims> {
  return {
    async openLiability(input) {
      const { tenant, claimId, adjudicationId, adjudicationVersion, currency, amount } = input;
      await sql.begin(async (tx) => {
        const fresh = await insertAccount(tx, input);
        const account = (await lockAccounts(tx, tenant, [claimId])).get(claimId);
        if (account === undefined) throw notFound();
        if (!fresh) {
          if (account.adjudicationId === adjudicationId) return;
          refuseReplacement(account, { version: adjudicationVersion, currency });
          await setAdjudication(tx, claimId, adjudicationId, adjudicationVersion);
        }
        const { withdrawn, opened } = liabilityMoves(claimId, fresh ? null : account.balances, amount);
        const entry = {
          tenant,
          currency,
          cause: adjudicationId,
          effectiveAt: new Date(input.decidedAt),
          recordedAt: await databaseNow(tx),
        };
        await post(tx, entry, [...withdrawn, ...opened]);
      });
    },

    async reverseLiability({ tenant, claimId }) {
      await sql.begin(async (tx) => {
        const account = (await lockAccounts(tx, tenant, [claimId])).get(claimId);
        if (account?.reversed) return;
        if (account === undefined || approvedOf(account) === 0)
          throw new Refusal('invalid_state', 'Nothing of the claim is approved.');
        const now = await databaseNow(tx);
        const { currency } = account;
        const entry = { tenant, currency, cause: reversalOf(claimId), effectiveAt: now, recordedAt: now };
        await post(tx, entry, reversalMoves(account));
        await setReversed(tx, claimId, now);
        if (account.balances.cash_observed > 0)
          await post(tx, entry, [recovery(claimId, account.balances.cash_observed)]);
      });
    },
  };
}

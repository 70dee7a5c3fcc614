/**
 * Decides for a claim's workflow whether the claim can be adjudicated or reversed. Each step is one transaction that locks the
 * claim's account row, and is idempotent.
 */
import {
  ApiError,
  allInOrder,
  databaseNow,
  notFound,
  type Sql,
  type StepHandlers,
} from '@carecover/platform';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import { approvedOf } from '../ledger/chart';
import { liabilityMoves, recoveryMove, rejectReplacement, reversalMoves } from '../ledger/liability';
import { insertAccount, lockAccounts, setAdjudication, setReversed } from '../store/accounts';
import { post, reversalOf } from '../store/postings';

export function liabilityActivities(sql: Sql): StepHandlers<PaymentsForClaims> {
  return {
    async openLiability(input) {
      const { tenant, claimId, adjudicationId, adjudicationVersion, currency, amount } = input;
      await sql.begin(async (tx) => {
        const [isNew, accounts, recordedAt] = await allInOrder([
          insertAccount(tx, input),
          lockAccounts(tx, tenant, [claimId]),
          databaseNow(tx),
        ]);
        const account = accounts.get(claimId);
        if (account === undefined) throw notFound();
        if (!isNew) {
          if (account.adjudicationId === adjudicationId) return;
          rejectReplacement(account, { version: adjudicationVersion, currency });
        }
        const { withdrawn, opened } = liabilityMoves(claimId, isNew ? null : account.balances, amount);
        const entry = {
          tenant,
          currency,
          cause: adjudicationId,
          effectiveAt: new Date(input.decidedAt),
          recordedAt,
        };
        await allInOrder([
          ...(isNew ? [] : [setAdjudication(tx, claimId, adjudicationId, adjudicationVersion)]),
          post(tx, [{ entry, moves: [...withdrawn, ...opened] }]),
        ]);
      });
    },

    async reverseLiability({ tenant, claimId }) {
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
          setReversed(tx, claimId, now),
          post(tx, [{ entry, moves: cash_observed > 0 ? [recoveryMove(claimId, cash_observed)] : [] }]),
        ]);
      });
    },
  };
}

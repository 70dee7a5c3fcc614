/**
 * Changes of a claim by remittances and settlements. The payments service has already decided them, so they are never rejected for their
 * content. A change that arrives too early gets service_unavailable, and payments sends it again later. A remittance is too early if the
 * adjudication that it pays is not committed yet. A settlement is too early if the claim's previous settlement in the ledger is not
 * recorded here yet.
 */
import { ApiError } from '@carecover/domain';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
import { type Change, type ClaimState, settlementTransition } from './recording';

const AUTHORITY = 'service:payments';

type Remittance = Parameters<ClaimsForRemittances['recordRemittance']>[0];
type Settlement = Parameters<ClaimsForRemittances['recordSettlement']>[0];

/**
 * Returns the error for a remittance or settlement that arrived too early. The workflow that sent it retries the call; the history of the
 * workflow shows the message `what`.
 */
export function notYet(what: string): ApiError {
  return new ApiError('service_unavailable', what, 1);
}

/**
 * Returns the change that records a remittance on one of its claims.
 *
 * @throws ApiError service_unavailable if the claim's adjudication that the remittance pays is not committed yet
 */
export function remittanceChange(remittance: Remittance, claimId: string, state: ClaimState): Change {
  const { remittanceId, receivedAt, allocations } = remittance;
  const allocation = allocations.find((each) => each.claimId === claimId);
  if (allocation === undefined)
    throw new Error(`the remittance ${remittanceId} does not allocate to ${claimId}`);
  if (allocation.adjudicationVersion > state.adjudicationVersion) {
    throw notYet(`adjudication ${allocation.adjudicationVersion} is not committed yet`);
  }
  return {
    transition: 'record_remittance',
    cause: remittanceId,
    authority: AUTHORITY,
    effectiveAt: Date.parse(receivedAt),
    reasonCode: allocation.reasonCode,
    evidenceReferences: [remittanceId],
    detail: { amount: allocation.amount },
  };
}

/**
 * Returns the changes of one claim by a settlement or its reversal. If the settlement reconciles its remittance, the last change records
 * the reconciliation.
 */
export function settlementChanges(settlement: Settlement, claimId: string, state: ClaimState): Change[] {
  const { remittanceId, causeId: cause, settlementId, observedAt, amounts, reconciled } = settlement;
  const changes: Change[] = [];
  const amount = amounts.find((each) => each.claimId === claimId)?.amount;
  if (amount !== undefined) {
    const isReversal = cause !== settlementId;
    changes.push({
      transition: settlementTransition(state, amount),
      cause,
      authority: AUTHORITY,
      // The reversal of a settlement takes effect when it is recorded.
      ...(isReversal ? {} : { effectiveAt: Date.parse(observedAt) }),
      evidenceReferences: [settlementId],
      detail: { amount },
    });
  }
  if (reconciled?.claimIds.includes(claimId)) {
    changes.push({
      transition: 'reconcile',
      cause,
      authority: AUTHORITY,
      effectiveAt: Date.parse(reconciled.at),
      evidenceReferences: [remittanceId],
    });
  }
  return changes;
}

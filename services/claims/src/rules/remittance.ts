/**
 * Changes of a claim by remittances and settlements, which payments has decided: no change is rejected. A record that arrives early is
 * retried: one for an adjudication that the claim's workflow has not committed yet, and a settlement whose predecessor in the ledger's
 * order is not recorded yet.
 */
import { ApiError } from '@carecover/platform';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
import { type Change, type ClaimState, settlementMove } from './recording';

const AUTHORITY = 'service:payments';

type Remittance = Parameters<ClaimsForRemittances['recordRemittance']>[0];
type Settlement = Parameters<ClaimsForRemittances['recordSettlement']>[0];

/** The error for a record that arrived early. The caller retries, and its history contains the message. */
export function notYet(what: string): ApiError {
  return new ApiError('service_unavailable', what, 1);
}

/** Returns the change that records a remittance on one of its claims. @throws ApiError service_unavailable if it arrived early */
export function remittanceChange(remittance: Remittance, claimId: string, state: ClaimState): Change {
  const { remittanceId, receivedAt, allocations } = remittance;
  const allocation = allocations.find((each) => each.claimId === claimId);
  if (allocation === undefined)
    throw new Error(`the remittance ${remittanceId} does not allocate to ${claimId}`);
  if (allocation.adjudicationVersion > state.adjudicationVersion) {
    throw notYet(`adjudication ${allocation.adjudicationVersion} is not committed yet`);
  }
  return {
    move: 'record_remittance',
    cause: remittanceId,
    authority: AUTHORITY,
    effectiveAt: Date.parse(receivedAt),
    reasonCode: allocation.reasonCode,
    evidenceReferences: [remittanceId],
    detail: { amount: allocation.amount },
  };
}

/** Returns the changes that record a settlement, or its reversal, and the reconciliation of its remittance on one claim. */
export function settlementChanges(settlement: Settlement, claimId: string, state: ClaimState): Change[] {
  const { remittanceId, causeId: cause, settlementId, observedAt, amounts, reconciled } = settlement;
  const changes: Change[] = [];
  const amount = amounts.find((each) => each.claimId === claimId)?.amount;
  if (amount !== undefined) {
    const isReversal = cause !== settlementId;
    changes.push({
      move: settlementMove(state, amount),
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
      move: 'reconcile',
      cause,
      authority: AUTHORITY,
      effectiveAt: Date.parse(reconciled.at),
      evidenceReferences: [remittanceId],
    });
  }
  return changes;
}

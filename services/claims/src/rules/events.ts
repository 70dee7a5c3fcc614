/** The rules that decide which facts of a claim are published as events, and with which data. */
import { type ClaimEventData, claimEventData, type EventType } from '@carecover/contract';
import type { Fact } from './facts';
import type { ClaimState } from './recording';

/**
 * Returns the type of a fact's event; null if no event is published, as for a lapse and for a settlement that leaves the status unchanged.
 */
export function eventOf(fact: Fact): EventType | null {
  switch (fact.type) {
    case 'submitted':
      return fact.previousStatus === 'draft' ? 'claim.submitted' : null;
    case 'queried':
      return 'claim.information_requested';
    case 'resubmitted':
    case 'approved':
    case 'partially_approved':
    case 'denied':
    case 'reversed':
    case 'cancelled':
      return `claim.${fact.type}`;
    case 'settled':
      return fact.nextStatus === 'settled' && fact.previousStatus !== 'settled' ? 'claim.settled' : null;
    default:
      return null;
  }
}

/** Returns the data of a claim's event. */
export function eventData(
  claim: { readonly id: string; readonly currency: string; readonly billed: number },
  state: ClaimState,
): ClaimEventData {
  const { status, approved, remitted, settled } = state;
  if (status === 'none') throw new Error('a claim without facts has no events');
  return claimEventData({
    id: claim.id,
    status,
    submission_version: state.submissionVersion,
    amount: { currency: claim.currency, billed: claim.billed, approved, remitted, settled },
    adjudication: state.decision === null ? null : { version: state.adjudicationVersion },
  });
}

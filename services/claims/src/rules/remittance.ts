/**
 * Changes of a claim by remittances, recoveries, withdrawals of both, and settlements. The payments service has already decided them, so they are never rejected for
 * their content. A change that arrives too early gets service_unavailable, and payments sends it again later. A remittance is too early if
 * the adjudication that it pays is not committed yet. A change of what is remitted, or of what is settled, is too early if the claim's previous
 * change of it in the ledger is not recorded here yet.
 */
import { ApiError } from '@carecover/domain';
import type { ClaimsForPayments, RecoveredRemittance, WithdrawnAdvice } from '@carecover/workflow-remittance';
import type { ValuedFact } from './facts';
import type { SummedFact } from './portfolio';
import { type Change, type ClaimState, settlementTransition } from './recording';
import { type Known, learn, NOTHING_KNOWN } from './valuation';

const AUTHORITY = 'service:payments';

type Remittance = Parameters<ClaimsForPayments['recordRemittance']>[0];
type Settlement = Parameters<ClaimsForPayments['recordSettlement']>[0];

/**
 * Returns the error for a remittance, recovery or settlement that arrived too early. The workflow that sent it retries the call; the history
 * of the workflow shows the message `what`.
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
 * Returns when a change takes effect that lowers what is remitted or settled by `amount`: at `at`, or at the first later instant from which on
 * the sum is never below `amount`. So the sum is not negative at any instant. Instants are in epoch milliseconds.
 *
 * @param facts all facts of the claim, in sequence
 * @throws ApiError service_unavailable if the sum of all facts is below `amount`
 */
function loweredAt(
  facts: readonly SummedFact[],
  sum: 'remitted' | 'settled',
  amount: number,
  at: number,
): number {
  const known: Known = { ...NOTHING_KNOWN };
  let coveredFrom: number | null = null;
  for (const fact of facts.toSorted((a, b) => a.effectiveAt - b.effectiveAt)) {
    learn(known, fact as ValuedFact);
    coveredFrom = known[sum] < amount ? null : (coveredFrom ?? fact.effectiveAt);
  }
  if (coveredFrom === null) throw notYet(`${amount} to take back is not recorded as ${sum} yet`);
  return Math.max(at, coveredFrom);
}

/**
 * Returns the change that records a recovery on its claim. It never takes back more than what is remitted and not taken back, and takes
 * effect when the payer's advice was received, or when the remittances took effect, if that is later.
 *
 * @param facts all facts of the claim, in sequence
 * @throws ApiError service_unavailable if the remittances that it takes back are not recorded yet
 */
export function recoveryChange(recovery: RecoveredRemittance, facts: readonly SummedFact[]): Change {
  const { recoveryId, adviceId, amount, effectiveAt: at, reasonCodes } = recovery;
  return {
    transition: 'record_recovery',
    cause: recoveryId,
    authority: AUTHORITY,
    effectiveAt: loweredAt(facts, 'remitted', amount, Date.parse(at)),
    reasonCode: reasonCodes[0] ?? null,
    evidenceReferences: [recoveryId, adviceId],
    detail: { amount, advice_id: adviceId, reason_codes: reasonCodes },
  };
}

/** Returns the IDs of the claims on which the withdrawal of an advice is recorded. */
export function claimsOfWithdrawal({ allocations, recoveries }: WithdrawnAdvice): string[] {
  return [...new Set([...allocations, ...recoveries].map(({ claimId }) => claimId))];
}

/**
 * Returns the changes that undo a withdrawn advice on one of its claims: its recovery first, then its allocation, so that the sum of what is
 * remitted is below zero after neither. They take effect when they are recorded, as the reversal of a settlement does.
 *
 * @throws ApiError service_unavailable if what it undoes is not recorded yet
 */
export function withdrawalChanges(withdrawal: WithdrawnAdvice, claimId: string, state: ClaimState): Change[] {
  const { causeId: cause, remittanceId, adviceId, reasonCode, allocations, recoveries } = withdrawal;
  const change = { cause, authority: AUTHORITY, reasonCode };
  const allocation = allocations.find((each) => each.claimId === claimId);
  const recovery = recoveries.find((each) => each.claimId === claimId);
  const lowered = (allocation?.amount ?? 0) - (recovery?.amount ?? 0);
  if (lowered > (state.remitted ?? 0))
    throw notYet(`${lowered} of the withdrawn ${remittanceId} is not recorded as remitted yet`);
  return [
    ...(recovery === undefined
      ? []
      : [
          {
            ...change,
            transition: 'record_remittance' as const,
            evidenceReferences: [recovery.recoveryId, adviceId],
            detail: { amount: recovery.amount },
          },
        ]),
    ...(allocation === undefined
      ? []
      : [
          {
            ...change,
            transition: 'record_recovery' as const,
            evidenceReferences: [remittanceId, adviceId],
            detail: { amount: allocation.amount, advice_id: adviceId, reason_codes: [reasonCode] },
          },
        ]),
  ];
}

/** Returns the claims whose recoveries a settlement settles: it lowers what is settled for them, and is not a reversal. */
export function claimsTakenBack({ causeId, settlementId, amounts }: Settlement): string[] {
  if (causeId !== settlementId) return [];
  return amounts.filter(({ amount }) => amount < 0).map(({ claimId }) => claimId);
}

/**
 * Returns when a settlement changes a claim (epoch milliseconds); undefined if it does so when it is recorded, as a reversal does. If it
 * settles a recovery, it takes effect when its funds were observed, or when the settlements that it lowers took effect, if that is later.
 *
 * @throws ApiError service_unavailable if the settlements that it lowers are not recorded yet
 */
function settledAt(
  { causeId, settlementId, observedAt }: Settlement,
  amount: number,
  facts: readonly SummedFact[],
): number | undefined {
  if (causeId !== settlementId) return undefined;
  const at = Date.parse(observedAt);
  return amount < 0 ? loweredAt(facts, 'settled', -amount, at) : at;
}

/**
 * Returns the changes of one claim by a settlement or its reversal. If the settlement reconciles its remittance, the last change records
 * the reconciliation.
 *
 * @param facts all facts of the claim, in sequence; needed only for one of the {@link claimsTakenBack}
 * @throws ApiError service_unavailable if it lowers settlements that are not recorded yet
 */
export function settlementChanges(
  settlement: Settlement,
  claimId: string,
  state: ClaimState,
  facts: readonly SummedFact[],
): Change[] {
  const { remittanceId, causeId: cause, settlementId, amounts, reconciled } = settlement;
  const changes: Change[] = [];
  const amount = amounts.find((each) => each.claimId === claimId)?.amount;
  if (amount !== undefined) {
    const effectiveAt = settledAt(settlement, amount, facts);
    changes.push({
      transition: settlementTransition(state, amount),
      cause,
      authority: AUTHORITY,
      ...(effectiveAt === undefined ? {} : { effectiveAt }),
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

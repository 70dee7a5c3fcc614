/** Evaluates a remittance's allocations on the claims' locked accounts. Pure. */
import { ApiError } from '@carecover/platform';
import { approvedOf, type ClaimAccount, type Move } from './chart';

/** The part of the payer's advice for one claim. Minor units. */
export interface Allocation {
  readonly claimId: string;
  readonly amount: number;
}

/** The payer's advice; `receivedAt` in epoch milliseconds. */
export interface Advice {
  readonly currency: string;
  readonly receivedAt: number;
  readonly allocations: readonly Allocation[];
}

/** Returns the index of the first allocation whose claim has an earlier allocation; null if there is none. */
export function findRepeatedClaim(allocations: readonly Allocation[]): number | null {
  const seen = new Set<string>();
  for (const [index, { claimId }] of allocations.entries()) {
    if (seen.has(claimId)) return index;
    seen.add(claimId);
  }
  return null;
}

/** Whether the claim is approved or partially approved, and neither reversed nor settled. */
function isPayable(account: ClaimAccount | undefined): account is ClaimAccount {
  if (account === undefined) return false;
  const approved = approvedOf(account);
  return approved !== null && approved > 0 && account.balances.cash_observed < approved;
}

/**
 * Rejects an invalid advice. The rules apply in the contract's order, each to every allocation before the next rule.
 *
 * @param accounts by claim ID; a claim without an account was never adjudicated
 * @param now epoch milliseconds
 * @throws ApiError allocation_duplicate, future_timestamp, claim_not_adjudicated, currency_mismatch, over_allocation
 */
export function evaluateAdvice(
  advice: Advice,
  accounts: ReadonlyMap<string, ClaimAccount>,
  now: number,
): void {
  const { allocations } = advice;
  const repeated = findRepeatedClaim(allocations);
  if (repeated !== null)
    throw new ApiError('allocation_duplicate', `/allocations/${repeated}/claim_id names a claim again.`);
  if (advice.receivedAt > now) throw new ApiError('future_timestamp', '/received_at is in the future.');
  const payable = allocations.map(({ claimId, amount }, index) => {
    const account = accounts.get(claimId);
    if (!isPayable(account))
      throw new ApiError(
        'claim_not_adjudicated',
        `/allocations/${index}/claim_id names a claim that is not approved or partially approved.`,
      );
    return { account, amount };
  });
  if (payable.some(({ account }) => account.currency !== advice.currency))
    throw new ApiError('currency_mismatch', '/currency is not the currency of every claim.');
  for (const [index, { account, amount }] of payable.entries()) {
    if (amount > account.balances.payer_liability)
      throw new ApiError(
        'over_allocation',
        `/allocations/${index}/paid_amount is more than the claim's approved amount less what is remitted.`,
      );
  }
}

/** The accounts between which an accepted advice moves each allocation's amount. */
export const ADVICE_MOVE = { source: 'payer_liability', destination: 'remitted' } as const satisfies Pick<
  Move,
  'source' | 'destination'
>;

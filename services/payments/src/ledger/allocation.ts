/** Whether a remittance's allocations may stand, evaluated on the claims' locked accounts. Pure. */
import { ApiError } from '@carecover/platform';
import { approvedOf, type ClaimAccount, type Move } from './chart';

/** A part of the payer's advice. Minor units. */
export interface Allocation {
  readonly claimId: string;
  readonly amount: number;
}

/** An advice as it came in; `receivedAt` in epoch milliseconds. */
export interface Advice {
  readonly currency: string;
  readonly receivedAt: number;
  readonly allocations: readonly Allocation[];
}

/** The first claim that is named a second time, as the place of the repetition; null where none is. */
export function repeatedClaim(allocations: readonly Allocation[]): number | null {
  const seen = new Set<string>();
  for (const [index, { claimId }] of allocations.entries()) {
    if (seen.has(claimId)) return index;
    seen.add(claimId);
  }
  return null;
}

/** True for a claim that is approved or partially approved now: not denied, reversed, or settled already. */
function isPayable(account: ClaimAccount | undefined): account is ClaimAccount {
  if (account === undefined) return false;
  const approved = approvedOf(account);
  return approved !== null && approved > 0 && account.balances.cash_observed < approved;
}

/**
 * Rejects an advice that may not stand, in the contract's order; each rule looks at every allocation before the next rule.
 *
 * @param accounts by claim id; a claim without one was never adjudicated
 * @param now epoch milliseconds
 * @throws ApiError allocation_duplicate, future_timestamp, claim_not_adjudicated, currency_mismatch, over_allocation
 */
export function evaluateAdvice(
  advice: Advice,
  accounts: ReadonlyMap<string, ClaimAccount>,
  now: number,
): void {
  const { allocations } = advice;
  const repeated = repeatedClaim(allocations);
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

/** What an advice that stands moves of each of its claims: the allocation's amount. */
export const ADVICE_MOVE = { source: 'payer_liability', destination: 'remitted' } as const satisfies Pick<
  Move,
  'source' | 'destination'
>;

/**
 * The rules of allocations: a remittance's allocations are checked against the locked accounts of their claims, and a settlement's
 * allocations against the outstanding amounts of the remittance's allocations. Pure functions.
 */
import { type RemittanceInput, sumMoney } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import { approvedOf, type ClaimAccount, type Move } from './chart-of-accounts';
import { fits } from './matching';
import type { Advised, ClaimAmount } from './remittance-status';

/** The content of a remittance that a payer advises; `receivedAt` in epoch milliseconds. */
export interface Advice {
  readonly currency: string;
  readonly receivedAt: number;
  readonly allocations: readonly ClaimAmount[];
}

/** Returns the index of the first allocation whose claim has an earlier allocation; null if there is none. */
function findRepeatedClaim(allocations: readonly ClaimAmount[]): number | null {
  const seen = new Set<string>();
  for (const [index, { claimId }] of allocations.entries()) {
    if (seen.has(claimId)) return index;
    seen.add(claimId);
  }
  return null;
}

/**
 * Returns whether a remittance can pay a claim: the claim is approved or partially approved, and neither reversed nor completely settled.
 */
function isPayable(account: ClaimAccount | undefined): account is ClaimAccount {
  if (account === undefined) return false;
  const approved = approvedOf(account);
  return approved !== null && approved > 0 && account.balances.cash_observed < approved;
}

/**
 * Checks a payer's advice. Each rule is checked on all allocations before the next rule, in the order of the API contract.
 *
 * @param accounts the accounts of the claims by claim ID; a claim without an account was never adjudicated
 * @param now current time in epoch milliseconds
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

/** The accounts of a claim between which the amount of an accepted allocation moves. */
export const ADVICE_MOVE = { source: 'payer_liability', destination: 'remitted' } as const satisfies Pick<
  Move,
  'source' | 'destination'
>;

/**
 * Rejects an advice with a claim that does not exist. @throws ApiError resource_not_found, which names the first allocation to such a claim
 */
export function rejectUnknownClaims(
  { allocations }: RemittanceInput,
  claimsWithoutAccount: readonly string[],
  knownClaims: readonly string[],
): void {
  const index = allocations.findIndex(
    ({ claim_id }) => claimsWithoutAccount.includes(claim_id) && !knownClaims.includes(claim_id),
  );
  if (index >= 0) throw new ApiError('resource_not_found', `/allocations/${index}/claim_id names no claim.`);
}

/** Returns the sum of a remittance's allocations in minor units. @throws ApiError validation_failed if it is above 2^53 - 1 */
export function totalOf({ allocations }: RemittanceInput): number {
  const total = sumMoney(allocations.map(({ paid_amount }) => paid_amount));
  if (total === undefined)
    throw new ApiError('validation_failed', '/allocations sum to more than an amount can be.');
  return total;
}

/**
 * Checks the allocations that the request of a settlement names.
 *
 * @param outstanding the outstanding amount of each allocation of the remittance
 * @throws ApiError allocation_duplicate; over_allocation if the allocations do not sum to the settlement's amount, name a claim that the
 *   remittance does not pay, or exceed a claim's outstanding amount (compared only in the remittance's currency)
 */
export function checkSettlementAllocations(
  advised: Advised,
  outstanding: readonly ClaimAmount[],
  observed: {
    readonly currency: string;
    readonly amount: number;
    readonly allocations: readonly ClaimAmount[];
  },
): void {
  const { allocations, amount } = observed;
  if (allocations.length === 0) return;
  const repeated = findRepeatedClaim(allocations);
  if (repeated !== null)
    throw new ApiError('allocation_duplicate', `/allocations/${repeated}/claim_id names a claim again.`);
  const outstandingByClaim = new Map(outstanding.map(({ claimId, amount: open }) => [claimId, open]));
  const unknown = allocations.findIndex(({ claimId }) => !outstandingByClaim.has(claimId));
  if (unknown >= 0)
    throw new ApiError(
      'over_allocation',
      `/allocations/${unknown}/claim_id names no claim of the remittance.`,
    );
  // The sum is exact, because the API contract limits it to 2^53 - 1.
  if (allocations.reduce((sum, part) => sum + part.amount, 0) !== amount)
    throw new ApiError('over_allocation', '/allocations do not sum to /amount.');
  if (observed.currency !== advised.currency) return;
  const excess = allocations.findIndex((part) => !fits(outstandingByClaim, [part]));
  if (excess >= 0)
    throw new ApiError(
      'over_allocation',
      `/allocations/${excess}/amount is more than the claim still lacks.`,
    );
}

/** Checks the allocations that a settlement's request names. Pure. */
import { ApiError } from '@carecover/platform';
import { findRepeatedClaim } from '../ledger/allocation';
import { fits } from './matching';
import type { Advised, ClaimAmount } from './observation';

/**
 * Rejects invalid allocations of a settlement.
 *
 * @param outstanding the amount of each allocation of the advice that is not settled
 * @throws ApiError allocation_duplicate; over_allocation if they do not sum to the amount, name a claim that is not the remittance's,
 *   or exceed a claim's outstanding amount (not compared in another currency)
 */
export function checkOwnAllocations(
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
  // The sum is exact, because the contract limits it to the safe integers.
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

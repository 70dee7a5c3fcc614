/** Whether the allocations that an observer gives may stand. Pure. */
import { ApiError } from '@carecover/platform';
import { repeatedClaim } from '../ledger/allocation';
import { fits } from './matching';
import type { Advised, ClaimAmount } from './observation';

/**
 * @param lacking what each allocation of the advice still lacks
 * @throws ApiError allocation_duplicate; over_allocation where they do not sum to the amount, name a claim that is not the
 *   remittance's, or are more than a claim lacks (amounts in another currency can't be compared with that)
 */
export function checkOwnAllocations(
  advised: Advised,
  lacking: readonly ClaimAmount[],
  observed: {
    readonly currency: string;
    readonly amount: number;
    readonly allocations: readonly ClaimAmount[];
  },
): void {
  const { allocations, amount } = observed;
  if (allocations.length === 0) return;
  const repeated = repeatedClaim(allocations);
  if (repeated !== null)
    throw new ApiError('allocation_duplicate', `/allocations/${repeated}/claim_id names a claim again.`);
  const lacks = new Map(lacking.map((lack) => [lack.claimId, lack.amount]));
  const stranger = allocations.findIndex(({ claimId }) => !lacks.has(claimId));
  if (stranger >= 0)
    throw new ApiError(
      'over_allocation',
      `/allocations/${stranger}/claim_id names no claim of the remittance.`,
    );
  // Exact: the contract bounds the allocations' sum to the safe integers.
  if (allocations.reduce((sum, part) => sum + part.amount, 0) !== amount)
    throw new ApiError('over_allocation', '/allocations do not sum to /amount.');
  if (observed.currency !== advised.currency) return;
  const excess = allocations.findIndex((part) => !fits(lacks, [part]));
  if (excess >= 0)
    throw new ApiError(
      'over_allocation',
      `/allocations/${excess}/amount is more than the claim still lacks.`,
    );
}

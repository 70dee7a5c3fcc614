/**
 * The valuation: a claim's facts folded as they were known at a cutoff. A fact counts if both its effective_at and its
 * recorded_at are on or before it. The same facts and cutoff give the same bytes in every release; the golden files hold it to that.
 */
import { type ClaimValuation } from '@carecover/contract';
import type { Fact } from './facts';
/**
 * Values a claim at `cutoff` (epoch milliseconds, inclusive); null before its first event.
 *
 * @param facts the claim's, in sequence; those not known at the cutoff are left out here
 */
export declare function valueAt(claimId: string, facts: readonly Fact[], cutoff: number): ClaimValuation | null;

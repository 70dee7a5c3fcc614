/** The second half of the journey: a claim from delivery to settlement, valued along the way. */
import type { Carecover, Claim, ClaimValuation, Preauthorization, Remittance } from '@carecover/client';
import { type Booked } from './cover';
import { type Narrator } from './narrator';
/** The session is delivered and the claim submitted; the payer asks, evidence answers. */
export declare function submitClaim(
  client: Carecover,
  narrator: Narrator,
  { check, booking }: Booked,
  preauthorization: Preauthorization,
): Promise<{
  readonly claim: Claim;
  readonly cutoffs: string[];
}>;
/** The payer judges, advises payment, and the money is seen to move. */
export declare function settleClaim(
  client: Carecover,
  narrator: Narrator,
  claimId: string,
): Promise<{
  readonly claim: Claim;
  readonly remittance: Remittance;
  readonly cutoffs: string[];
}>;
/** Values the claim twice at each cutoff: the same bytes. Gives the last valuation. */
export declare function valueClaim(
  client: Carecover,
  narrator: Narrator,
  claimId: string,
  cutoffs: readonly string[],
): Promise<ClaimValuation>;

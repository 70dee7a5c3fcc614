/**
 * Returns the valuation of a claim at a cutoff, and sets the claim's `closed_through`, so that a cutoff has the same valuation for ever,
 * whatever is recorded later and even if the clock is set back. For a cutoff that is up to 5 seconds in the future the gateway waits.
 */
import { type ClaimValuation, formatInstant, parseInstant } from '@carecover/contract';
import { ApiError, type Call, requireVisible, type Sql, type Tenant } from '@carecover/platform';
import { valueAt } from '../rules/valuation';
import { firstRecordedAt, valuedFactsKnownAt } from '../store/facts';
import { makeClaimFinal } from './make-final';

/**
 * Returns the valuation of a claim at `cutoff` (epoch milliseconds, inclusive), and makes it final.
 *
 * @throws ApiError validation_failed if the cutoff is more than 5 seconds in the future and no valuation was returned for this or a later
 *   cutoff; resource_not_found if there is no such claim, or no fact of the claim was known at the cutoff; TooEarly if the cutoff has
 *   not passed
 */
export async function valueClaim(
  sql: Sql,
  tenant: Tenant,
  claimId: string,
  cutoff: number,
): Promise<ClaimValuation> {
  await makeClaimFinal(sql, tenant, claimId, cutoff);
  const valuation = valueAt(claimId, await valuedFactsKnownAt(sql, tenant, claimId, cutoff), cutoff);
  if (valuation === null) {
    const first = await firstRecordedAt(sql, tenant, claimId);
    throw new ApiError(
      'resource_not_found',
      `The claim has no valuation at this cutoff: its first fact was recorded at ${formatInstant(first.getTime())}.`,
    );
  }
  return valuation;
}

/** Does the same as {@link valueClaim}, for the request of a client. */
export async function getClaimValuation(
  sql: Sql,
  { caller, params, query }: Call<'getClaimValuation'>,
): Promise<ClaimValuation> {
  requireVisible(caller, params.claim_id);
  return valueClaim(sql, caller.tenant, params.claim_id, parseInstant(query.valuation_at));
}

/**
 * Returns the valuation of a claim at a cutoff, and sets the claim's `closed_through`, so that a cutoff has the same valuation for ever,
 * whatever is recorded later and even if the clock is set back. For a cutoff that is up to 5 seconds in the future the gateway waits.
 */
import { type ClaimValuation, formatInstant, parseInstant } from '@carecover/contract';
import { ApiError, requireVisible, type Tenant } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { valueAt } from '../rules/valuation';
import { firstRecordedAt, valuedFactsKnownAt } from '../store/facts';
import { makeClaimFinal } from './make-final';

/**
 * Returns the valuation of a claim at `cutoff` (epoch milliseconds, inclusive), and makes it final.
 *
 * @param effectiveThrough the last instant at which a fact that counts takes effect (epoch milliseconds), at most `cutoff`
 * @throws ApiError validation_failed if the cutoff is more than 5 seconds in the future and no valuation was returned for this or a later
 *   cutoff; resource_not_found if there is no such claim, or its creation was not known or not in effect; TooEarly if the cutoff has
 *   not passed
 */
export async function valueClaim(
  sql: Sql,
  tenant: Tenant,
  claimId: string,
  cutoff: number,
  effectiveThrough = cutoff,
): Promise<ClaimValuation> {
  await makeClaimFinal(sql, tenant, claimId, cutoff);
  const facts = await valuedFactsKnownAt(sql, tenant, claimId, cutoff, effectiveThrough);
  const valuation = valueAt(claimId, facts, cutoff, effectiveThrough);
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
  const { valuation_at, effective_through } = query;
  return valueClaim(
    sql,
    caller.tenant,
    params.claim_id,
    parseInstant(valuation_at),
    parseInstant(effective_through ?? valuation_at),
  );
}

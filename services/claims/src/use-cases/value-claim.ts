/**
 * Returns the valuation of a claim at a cutoff. Waits for a cutoff that is up to 5 seconds ahead, and sets the claim's `closed_through`, so
 * that a cutoff has the same valuation for ever, whatever is recorded later and even if the clock is set back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimValuation, parseInstant } from '@carecover/contract';
import { type Call, notFound, requireVisible, type Sql, type Tenant, unavailable } from '@carecover/platform';
import { LONGEST_WAIT_MS, millisecondsAhead, valueAt } from '../rules/valuation';
import { closeThrough, horizonOf } from '../store/closed-through';
import { valuedFactsKnownAt } from '../store/facts';

/** Waits until the cutoff has passed, and makes the claim's facts through it final. @throws ApiError as {@link valueClaim} */
async function makeFinal(sql: Sql, tenant: Tenant, claimId: string, cutoff: number): Promise<void> {
  for (let waited = 0; ; ) {
    const { through, now } = await horizonOf(sql, tenant, claimId);
    if (through !== null && cutoff <= through) return;
    const ahead = millisecondsAhead(cutoff, now, '/query/valuation_at');
    if (through === null) throw notFound();
    if (ahead <= 0) return closeThrough(sql, tenant, claimId, cutoff);
    if (waited + ahead > LONGEST_WAIT_MS) throw unavailable('The time of this cutoff');
    await sleep(ahead);
    waited += ahead;
  }
}

/**
 * Returns the valuation of a claim at `cutoff` (epoch milliseconds, inclusive), and makes it final.
 *
 * @throws ApiError validation_failed if the cutoff is more than 5 seconds ahead and no valuation at or after it was returned before;
 * resource_not_found if there is no such claim, or no event before the cutoff; service_unavailable if the clock is set back during the wait
 */
export async function valueClaim(
  sql: Sql,
  tenant: Tenant,
  claimId: string,
  cutoff: number,
): Promise<ClaimValuation> {
  await makeFinal(sql, tenant, claimId, cutoff);
  const valuation = valueAt(claimId, await valuedFactsKnownAt(sql, tenant, claimId, cutoff), cutoff);
  if (valuation === null) throw notFound();
  return valuation;
}

/** As {@link valueClaim}, for the request of a client. */
export async function getClaimValuation(
  sql: Sql,
  { caller, params, query }: Call<'getClaimValuation'>,
): Promise<ClaimValuation> {
  requireVisible(caller, params.claim_id);
  return valueClaim(sql, caller.tenant, params.claim_id, parseInstant(query.valuation_at));
}

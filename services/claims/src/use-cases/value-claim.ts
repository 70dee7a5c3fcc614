/**
 * Answers a cutoff: waits for one that is just ahead, closes the claim through it, folds the facts. Once answered, a cutoff has
 * the same answer for ever, whatever is recorded later and whatever the clock does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClaimValuation,
  formatInstant,
  parseInstant,
  VALUATION_LOOKAHEAD_MS,
} from '@carecover/contract';
import {
  ApiError,
  type Call,
  notFound,
  requireVisible,
  type Sql,
  type Tenant,
  unavailable,
} from '@carecover/platform';
import { valueAt } from '../rules/valuation';
import { closeThrough, horizonOf } from '../store/closed-through';
import { valuedFactsKnownAt } from '../store/facts';

/** A clock that is set back while a cutoff is waited for is not waited for a second time. */
const LONGEST_WAIT_MS = VALUATION_LOOKAHEAD_MS + 1_000;

/** Returns when everything recorded through the cutoff is final. @throws ApiError as {@link valueClaim} */
async function makeFinal(sql: Sql, tenant: Tenant, claimId: string, cutoff: number): Promise<void> {
  for (let waited = 0; ; ) {
    const { through, now } = await horizonOf(sql, tenant, claimId);
    if (through !== null && cutoff <= through) return;
    const ahead = cutoff - now;
    if (ahead > VALUATION_LOOKAHEAD_MS) {
      throw new ApiError(
        'validation_failed',
        `/query/valuation_at is more than 5 seconds ahead of the server's time, which is ${formatInstant(now)}`,
      );
    }
    if (through === null) throw notFound();
    if (ahead <= 0) return closeThrough(sql, tenant, claimId, cutoff);
    if (waited + ahead > LONGEST_WAIT_MS) throw unavailable('The time of this cutoff');
    await sleep(ahead);
    waited += ahead;
  }
}

/**
 * The claim as it was known at `cutoff` (epoch milliseconds, inclusive).
 *
 * @throws ApiError validation_failed (a cutoff more than 5 s ahead that was never answered), resource_not_found (no such claim, or
 *   before its first event)
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

/** Values a claim for a client; see {@link valueClaim}. @throws ApiError resource_not_found, validation_failed */
export async function getClaimValuation(
  sql: Sql,
  { caller, params, query }: Call<'getClaimValuation'>,
): Promise<ClaimValuation> {
  requireVisible(caller, params.claim_id);
  return valueClaim(sql, caller.tenant, params.claim_id, parseInstant(query.valuation_at));
}

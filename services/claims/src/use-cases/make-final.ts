/**
 * Makes a cutoff final before a valuation of a claim, or sums over all claims of a project, are returned for it. Facts that are recorded
 * later are then never known at this cutoff, even if the clock is set back.
 */
import { isSimulated, notFound, type Tenant } from '@carecover/domain';
import { TooEarly } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { millisecondsAhead } from '../rules/valuation';
import {
  closePortfolioThrough,
  closeThrough,
  type Horizon,
  horizonOf,
  portfolioHorizonOf,
} from '../store/closed-through';

/**
 * Makes the facts through the cutoff (epoch milliseconds) final, if it has passed.
 *
 * @param pointer the JSON pointer to the cutoff in the request
 * @param readHorizon reads the instant through which the facts are final, and the database's time
 * @param close stores that the facts through the cutoff are final
 * @throws TooEarly if the cutoff has not passed; ApiError validation_failed if it is more than 5 seconds in the future
 */
async function makeFinal(
  tenant: Tenant,
  cutoff: number,
  pointer: string,
  readHorizon: () => Promise<Horizon>,
  close: () => Promise<void>,
): Promise<void> {
  const { through, now } = await readHorizon();
  if (through !== null && cutoff <= through) return;
  const ahead = millisecondsAhead(cutoff, now, pointer, isSimulated(tenant));
  if (ahead > 0) throw new TooEarly(ahead);
  await close();
}

/**
 * Makes the facts of a claim through the cutoff final.
 *
 * @throws ApiError validation_failed if the cutoff is more than 5 seconds in the future and no valuation was returned for this or a later
 *   cutoff; resource_not_found if there is no such claim; TooEarly if the cutoff has not passed
 */
export function makeClaimFinal(sql: Sql, tenant: Tenant, claimId: string, cutoff: number): Promise<void> {
  const pointer = '/query/valuation_at';
  const readHorizon = async () => {
    const horizon = await horizonOf(sql, tenant, claimId);
    if (horizon.through === null) {
      // For an unknown claim, a cutoff that is too far in the future is reported before the error that there is no such claim.
      millisecondsAhead(cutoff, horizon.now, pointer, isSimulated(tenant));
      throw notFound();
    }
    return horizon;
  };
  return makeFinal(tenant, cutoff, pointer, readHorizon, () => closeThrough(sql, tenant, claimId, cutoff));
}

/**
 * Makes the facts of all claims of the tenant through the cutoff final.
 *
 * @param pointer the JSON pointer to the cutoff in the request
 * @throws ApiError validation_failed if the cutoff is more than 5 seconds in the future and sums were never returned for this or a later
 *   cutoff; TooEarly if the cutoff has not passed; service_unavailable if the lock of the project's claims is not available
 */
export function makePortfolioFinal(sql: Sql, tenant: Tenant, cutoff: number, pointer: string): Promise<void> {
  return makeFinal(
    tenant,
    cutoff,
    pointer,
    () => portfolioHorizonOf(sql, tenant),
    () => closePortfolioThrough(sql, tenant, cutoff),
  );
}

/**
 * Makes the facts of all claims of the tenant through the cutoff final, if it has passed.
 *
 * @returns 0 if they are final; otherwise by how many milliseconds the cutoff is after the database's time
 * @throws ApiError service_unavailable if the lock of the project's claims is not available
 */
export async function makePortfolioFinalIfPassed(sql: Sql, tenant: Tenant, cutoff: number): Promise<number> {
  const { through, now } = await portfolioHorizonOf(sql, tenant);
  if (through !== null && cutoff <= through) return 0;
  if (cutoff > now) return cutoff - now;
  await closePortfolioThrough(sql, tenant, cutoff);
  return 0;
}

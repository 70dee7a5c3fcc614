/**
 * Releases the session and pre-authorization of a cancelled or reversed claim, so that another claim can use them.
 *
 * Failure policy: open. The claim has ended when the release is tried. If benefits is unavailable, the claim's workflow releases later.
 */
import { type Caller, isUnavailable, type Sql } from '@carecover/platform';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import { setReleased } from '../store/claims';
import type { ClaimOfTenant } from './view-claim';

/** Releases in benefits what an ended claim used, and records that. It can be repeated. @throws ApiError service_unavailable */
export async function releaseClaim(
  { sql, benefits }: { readonly sql: Sql; readonly benefits: BenefitsForClaims },
  { tenant, claimId }: ClaimOfTenant,
  requestId: string,
): Promise<void> {
  await benefits.releaseFromClaim({ tenant, claimId }, requestId);
  await setReleased(sql, tenant, claimId);
}

/** Does the same as {@link releaseClaim} for the request that ended the claim. While benefits is unavailable, it does nothing. */
export async function releaseNow(
  deps: { readonly sql: Sql; readonly benefits: BenefitsForClaims },
  { tenant, requestId }: Caller,
  claimId: string,
): Promise<void> {
  try {
    await releaseClaim(deps, { tenant, claimId }, requestId);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

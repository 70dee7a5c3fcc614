/**
 * Releases the session and pre-authorization of a cancelled or reversed claim, so that another claim can use them.
 *
 * Failure policy: open. The claim has ended when the release is tried. If benefits is unavailable, a sweep releases later.
 */
import { isUnavailable } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import { type ClaimOfTenant, setReleased } from '../store/claims';

/** What a release calls. */
export interface ReleaseDeps {
  readonly sql: Sql;
  readonly benefits: BenefitsForClaims;
}

/** Releases in benefits what an ended claim used, and records that. It can be repeated. @throws ApiError service_unavailable */
export async function releaseClaim(
  { sql, benefits }: ReleaseDeps,
  { tenant, claimId }: ClaimOfTenant,
  requestId: string,
): Promise<void> {
  await benefits.releaseFromClaim({ tenant, claimId }, requestId);
  await setReleased(sql, tenant, claimId);
}

/** Does the same as {@link releaseClaim}. While benefits is unavailable, it does nothing. */
export async function releaseIfAvailable(
  deps: ReleaseDeps,
  claim: ClaimOfTenant,
  requestId: string,
): Promise<void> {
  try {
    await releaseClaim(deps, claim, requestId);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

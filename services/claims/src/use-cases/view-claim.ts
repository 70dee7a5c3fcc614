/** Reads a claim: as its API resource, and as its workflow sees it. */
import type { Claim } from '@carecover/contract';
import { type Caller, requireResource, type Sql, type Tenant } from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import { claimResource, claimView } from '../resources';
import { findClaimInFull } from '../store/claims-in-full';

/** Names a claim in a step of the workflow. */
export interface ClaimOfTenant {
  readonly tenant: Tenant;
  readonly claimId: string;
}

/** Reads a claim for a client. @throws ApiError resource_not_found */
export async function getClaim(sql: Sql, caller: Caller, claimId: string): Promise<Claim> {
  const row = await findClaimInFull(sql, caller.tenant, claimId);
  return claimResource(requireResource(caller, claimId, row));
}

/** Reads a claim for its workflow. A claim that does not exist has the status `none`. */
export async function viewClaim(sql: Sql, { tenant, claimId }: ClaimOfTenant): Promise<ClaimView> {
  return claimView(await findClaimInFull(sql, tenant, claimId));
}

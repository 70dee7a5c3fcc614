/** Reads a claim: as its API resource, and as its workflow sees it. */
import type { Claim, ClaimLinks } from '@carecover/contract';
import { type Caller, requireResource, type Sql, type Tenant } from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import { claimLinksResource, claimResource, claimView } from '../resources';
import { findClaimLinks } from '../store/claim-links';
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

/** Reads the resources that a claim is connected with. @throws ApiError resource_not_found */
export async function getClaimLinks(sql: Sql, caller: Caller, claimId: string): Promise<ClaimLinks> {
  const row = await findClaimLinks(sql, caller.tenant, claimId);
  return claimLinksResource(requireResource(caller, claimId, row));
}

/** Reads a claim for its workflow. A claim that does not exist has the status `none`. */
export async function viewClaim(sql: Sql, { tenant, claimId }: ClaimOfTenant): Promise<ClaimView> {
  return claimView(await findClaimInFull(sql, tenant, claimId));
}

/** Reads a claim for clients as an API resource. */
import type { Claim, ClaimLinks } from '@carecover/contract';
import { type Caller, requireResource, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { claimLinksResource, claimResource } from '../resources';
import { findClaimLinks } from '../store/claim-links';
import { findClaimInFull } from '../store/claims-in-full';

/** Identifies a claim of a tenant. */
export interface ClaimOfTenant {
  readonly tenant: Tenant;
  readonly claimId: string;
}

/** Reads a claim for a client. @throws ApiError resource_not_found */
export async function getClaim(sql: Sql, caller: Caller, claimId: string): Promise<Claim> {
  const row = await findClaimInFull(sql, caller.tenant, claimId);
  return claimResource(requireResource(caller, claimId, row));
}

/** Reads the IDs of the resources with which a claim is connected. @throws ApiError resource_not_found */
export async function getClaimLinks(sql: Sql, caller: Caller, claimId: string): Promise<ClaimLinks> {
  const row = await findClaimLinks(sql, caller.tenant, claimId);
  return claimLinksResource(requireResource(caller, claimId, row));
}

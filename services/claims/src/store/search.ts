/** SQL of the search of operators for claims, and of the practitioner and payer of claims. */

import type { Tenant } from '@carecover/domain';
import { type Db, findByTextOrAmount, type Search, type SearchedTable } from '@carecover/postgres';

/** A claim that a search found. `billed` is in minor units. */
export interface FoundClaim {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: number;
  readonly at: Date;
  readonly created_at: Date;
}

/** Finds the newest claims of the tenant whose reference is in the range, or whose billed amount is one of the amounts. */
export async function searchClaims(db: Db, tenant: Tenant, search: Search): Promise<FoundClaim[]> {
  const searched: SearchedTable = {
    table: db`claims`,
    text: db`provider_claim_reference`,
    amount: db`billed`,
    createdAt: db`created_at`,
    columns: db`id, provider_claim_reference as name, status, currency, billed as amount, service_starts_at as at`,
  };
  return findByTextOrAmount<FoundClaim>(db, tenant, searched, search);
}

/** Who provided and who pays the service of a claim. */
export interface ClaimParties {
  readonly claim_id: string;
  /** The provider's reference of the claim. */
  readonly name: string;
  readonly practitioner_id: string;
  /** The surrogate that benefits has made for the payer's contract reference. */
  readonly payer_id: string;
}

/** Reads the parties of those of the claims that the tenant has. */
export async function readParties(
  db: Db,
  tenant: Tenant,
  claimIds: readonly string[],
): Promise<ClaimParties[]> {
  return [
    ...(await db<ClaimParties[]>`
      select id as claim_id, provider_claim_reference as name, practitioner_id, payer_id from claims
      where project_id = ${tenant} and id = any(${[...claimIds]})`),
  ];
}

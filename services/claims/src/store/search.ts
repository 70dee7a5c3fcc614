/** SQL of the search of operators for claims, and of the practitioner and payer of claims. */

import type { Tenant } from '@carecover/domain';
import { type Db, type SearchRange, searchedText } from '@carecover/postgres';

/** A claim that a search found. `billed` is in minor units. */
export interface FoundClaim {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: number;
  readonly at: Date;
}

/**
 * Finds the newest claims of the tenant whose reference is in the range, or whose billed amount is one of the amounts.
 *
 * @param range null: no claim is found by its reference
 * @param amounts in minor units
 */
export async function searchClaims(
  db: Db,
  tenant: Tenant,
  { range, amounts, limit }: { range: SearchRange | null; amounts: readonly number[]; limit: number },
): Promise<FoundClaim[]> {
  const columns = db`id, provider_claim_reference as name, status, currency, billed as amount, service_starts_at as at`;
  const reference = searchedText(db, db`provider_claim_reference`);
  return [
    ...(await db<FoundClaim[]>`
      select * from (
        (select ${columns} from claims
          where project_id = ${tenant} and ${reference} >= ${range?.from ?? ''} and ${reference} < ${range?.to ?? ''}
          order by ${reference} limit ${limit})
        union
        (select ${columns} from claims
          where project_id = ${tenant} and billed = any(${[...amounts]}::bigint[]) order by id desc limit ${limit})
      ) found order by id desc limit ${limit}`),
  ];
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

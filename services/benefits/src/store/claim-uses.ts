/**
 * Rows of claim uses: the response of benefits to a claim's submission, stored for repeated submissions. After a claim use is released,
 * benefits rejects every later submission of the claim.
 */
import type { Tenant } from '@carecover/domain';
import type { Tx } from '@carecover/postgres';
import type { ClaimedCoverage } from './payer-contracts';

export interface ClaimUse {
  readonly preauthorization_id: string | null;
  readonly currency: string | null;
  readonly payer_id: string | null;
  readonly plan: string | null;
  readonly released_at: Date | null;
}

/** Reads and locks the claim use of a claim; null if the claim has not been submitted to benefits. */
export async function lockClaimUse(tx: Tx, tenant: Tenant, claimId: string): Promise<ClaimUse | null> {
  const [row] = await tx<ClaimUse[]>`
    select preauthorization_id, currency, payer_id, plan, released_at from claim_uses
    where claim_id = ${claimId} and project_id = ${tenant} for update`;
  return row ?? null;
}

/** Inserts the claim use of a claim. */
export async function recordClaimUse(
  tx: Tx,
  tenant: Tenant,
  claimId: string,
  use: { readonly preauthorizationId: string | null; readonly currency: string } & ClaimedCoverage,
): Promise<void> {
  await tx`
    insert into claim_uses (claim_id, project_id, preauthorization_id, currency, payer_id, plan, used_at)
    values (${claimId}, ${tenant}, ${use.preauthorizationId}, ${use.currency}, ${use.payerId}, ${use.plan}, platform.now())`;
}

/**
 * Releases the claim use of a claim. If there is none, inserts a released one, so that a submission that arrives later is rejected.
 *
 * @returns the ID of the released pre-authorization, or null if the claim used none or was released before
 */
export async function releaseClaimUse(tx: Tx, tenant: Tenant, claimId: string): Promise<string | null> {
  const [row] = await tx<{ preauthorization_id: string | null }[]>`
    insert into claim_uses (claim_id, project_id, released_at) values (${claimId}, ${tenant}, platform.now())
    on conflict (claim_id) do update set released_at = excluded.released_at where claim_uses.released_at is null
    returning preauthorization_id`;
  return row?.preauthorization_id ?? null;
}

/** What claims were told they may use: a repeated step finds its answer here, and one freed once uses nothing again. */
import type { Tenant, Tx } from '@carecover/platform';

export interface ClaimUse {
  readonly preauthorization_id: string | null;
  readonly currency: string | null;
  readonly released_at: Date | null;
}

/** The claim's use, locked; null where there is none yet. */
export async function lockClaimUse(tx: Tx, tenant: Tenant, claimId: string): Promise<ClaimUse | null> {
  const [row] = await tx<ClaimUse[]>`
    select preauthorization_id, currency, released_at from claim_uses
    where claim_id = ${claimId} and project_id = ${tenant} for update`;
  return row ?? null;
}

export async function recordClaimUse(
  tx: Tx,
  tenant: Tenant,
  claimId: string,
  use: { readonly preauthorizationId: string | null; readonly currency: string },
): Promise<void> {
  await tx`
    insert into claim_uses (claim_id, project_id, preauthorization_id, currency, used_at)
    values (${claimId}, ${tenant}, ${use.preauthorizationId}, ${use.currency}, platform.now())`;
}

/**
 * Frees whatever the claim uses, also where it uses nothing yet: a submission that arrives late must not take it again.
 *
 * @returns the pre-authorization that is free now, or null where the claim used none or was freed before
 */
export async function freeClaimUse(tx: Tx, tenant: Tenant, claimId: string): Promise<string | null> {
  const [row] = await tx<{ preauthorization_id: string | null }[]>`
    insert into claim_uses (claim_id, project_id, released_at) values (${claimId}, ${tenant}, platform.now())
    on conflict (claim_id) do update set released_at = excluded.released_at where claim_uses.released_at is null
    returning preauthorization_id`;
  return row?.preauthorization_id ?? null;
}

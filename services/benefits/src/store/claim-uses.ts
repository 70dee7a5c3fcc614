/**
 * Rows of claim uses: the response of benefits to a claim's submission, stored for repeated submissions. After a claim use is released,
 * benefits rejects every later submission of the claim.
 */
import type { Tenant } from '@carecover/domain';
import { type Db, jsonb, type Query, type Tx } from '@carecover/postgres';
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

/** Returns those of the claims that have a claim use. */
export function findUsedClaims(
  db: Db,
  tenant: Tenant,
  claimIds: readonly string[],
): Query<ReadonlySet<string>> {
  const found = db<{ claim_id: string }[]>`
    select claim_id from claim_uses where project_id = ${tenant} and claim_id = any(${[...claimIds]})`;
  return found.withResult((rows) => new Set(rows.map(({ claim_id }) => claim_id)));
}

/** A claim use without a pre-authorization. */
export interface NewClaimUse extends ClaimedCoverage {
  readonly claimId: string;
  readonly currency: string;
}

/** Inserts claim uses. Returns the claims whose use was inserted: not those that have one, also if it was committed concurrently. */
export async function recordClaimUses(
  tx: Tx,
  tenant: Tenant,
  uses: readonly NewClaimUse[],
): Promise<ReadonlySet<string>> {
  if (uses.length === 0) return new Set();
  const inserted = await tx<{ claim_id: string }[]>`
    insert into claim_uses (claim_id, project_id, currency, payer_id, plan, used_at)
    select "claimId", ${tenant}, currency, "payerId", plan, platform.now()
    from jsonb_to_recordset(${jsonb(uses)}) as used ("claimId" text, currency text, "payerId" text, plan text)
    order by "claimId"
    on conflict (claim_id) do nothing
    returning claim_id`;
  return new Set(inserted.map(({ claim_id }) => claim_id));
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

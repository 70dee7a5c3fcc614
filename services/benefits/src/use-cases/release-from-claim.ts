/** The release of a pre-authorization by the claim that used it: its deadline applies again, and its workflow is signalled. */
import { databaseNow, enqueueReviews, type Sql, type Tenant } from '@carecover/platform';
import { releaseClaimUse } from '../store/claim-uses';
import { lockPreauthorization } from '../store/preauthorizations';
import { expireLockedIfDue } from './expire-overdue';
import { recordChange } from './record-change';

const AUTHORITY = 'service:claims';

export interface ClaimsDependencies {
  readonly sql: Sql;
  /** Called after the commit of a release, so that the enqueued signal to the pre-authorization's workflow is sent at once. */
  readonly notifyReviews: () => void;
}

/** Releases the pre-authorization that a claim uses, if any, and rejects a later submission of the claim. Idempotent. */
export async function releaseFromClaim(
  { sql, notifyReviews }: ClaimsDependencies,
  tenant: Tenant,
  claimId: string,
): Promise<void> {
  const isReleased = await sql.begin(async (tx) => {
    const id = await releaseClaimUse(tx, tenant, claimId);
    if (id === null) return false;
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null || row.used_by_claim_id !== claimId) return false;
    const context = { at: await databaseNow(tx), authority: AUTHORITY };
    const unused = await recordChange(tx, row, { type: 'released', claimId }, context);
    await expireLockedIfDue(tx, { ...unused, is_being_approved: false });
    await enqueueReviews(tx, [{ id: row.id, tenant, environment: row.environment }]);
    return true;
  });
  if (isReleased) notifyReviews();
}

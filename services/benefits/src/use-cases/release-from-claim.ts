/**
 * The release of a pre-authorization by the claim that used it: the pre-authorization's deadline applies again. The claim's use has ended
 * the run of the pre-authorization's workflow, so the signal about the release starts a new run.
 */

import type { Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { releaseClaimUse } from '../store/claim-uses';
import { lockPreauthorization } from '../store/preauthorizations';
import { expireLockedIfDue } from './expire-overdue';
import { recordChange } from './record-changes';

const AUTHORITY = 'service:claims';

/** Releases the pre-authorization that a claim uses, if any, and rejects a later submission of the claim. Idempotent. */
export async function releaseFromClaim(sql: Sql, tenant: Tenant, claimId: string): Promise<void> {
  await sql.begin(async (tx) => {
    const id = await releaseClaimUse(tx, tenant, claimId);
    if (id === null) return;
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null || row.used_by_claim_id !== claimId) return;
    const { locked_at } = row;
    const context = { at: locked_at, authority: AUTHORITY };
    const unused = await recordChange(tx, row, { type: 'released', claimId }, context);
    await expireLockedIfDue(tx, { ...unused, locked_at, is_being_approved: false });
  });
}

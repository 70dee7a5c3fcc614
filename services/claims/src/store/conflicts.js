"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.findConflict = findConflict;
/** The name of the constraint, or null. */
async function findConflict(db, tenant, providerClaimReference, sessionId) {
    const [row] = await db `
    select
      exists (select 1 from claims
              where project_id = ${tenant} and provider_claim_reference = ${providerClaimReference}) as reference,
      exists (select 1 from claims
              where project_id = ${tenant} and session_id = ${sessionId} and status not in ('cancelled', 'reversed')) as session`;
    if (row?.reference)
        return 'claims_reference_once';
    return row?.session ? 'claims_one_live_a_session' : null;
}

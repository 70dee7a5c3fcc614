"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.toClaim = toClaim;
exports.findClaimInFull = findClaimInFull;
exports.readClaim = readClaim;
const platform_1 = require("@carecover/platform");
function instant(text) {
    return new Date(text).toISOString();
}
function toRequest(request) {
    return {
        id: request.id,
        object: 'claim_information_request',
        reason_code: request.reason_code,
        requested_evidence_types: request.requested_evidence_types,
        status: request.status,
        due_at: request.due_at === null ? null : instant(request.due_at),
        created_at: instant(request.created_at),
        resolved_at: request.resolved_at === null ? null : instant(request.resolved_at),
    };
}
/** The claim's resource. */
function toClaim(row) {
    return {
        id: row.id,
        object: 'claim',
        status: row.status,
        provider_claim_reference: row.provider_claim_reference,
        submission_version: row.submission_version,
        amount: {
            currency: row.currency,
            billed: row.billed,
            approved: row.approved,
            remitted: row.remitted,
            settled: row.settled,
        },
        service_period: {
            starts_at: row.service_starts_at.toISOString(),
            ends_at: row.service_ends_at.toISOString(),
        },
        lines: row.lines,
        information_requests: row.information_requests.map(toRequest),
        adjudication: row.adjudication,
        submitted_at: row.submitted_at.toISOString(),
        updated_at: row.last_recorded_at.toISOString(),
    };
}
/** One claim in full, null where the tenant has none of that id. */
async function findClaimInFull(db, tenant, claimId) {
    const [row] = await db `
    select * from claims_in_full where project_id = ${tenant} and id = ${claimId}`;
    return row ?? null;
}
/** One claim's resource. @throws Refusal resource_not_found */
async function readClaim(db, tenant, claimId) {
    const row = await findClaimInFull(db, tenant, claimId);
    if (row === null)
        throw (0, platform_1.notFound)();
    return toClaim(row);
}

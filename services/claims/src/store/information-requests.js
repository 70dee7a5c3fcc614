"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.insertRequest = insertRequest;
exports.findRequest = findRequest;
exports.openRequest = openRequest;
exports.resolveOpenRequest = resolveOpenRequest;
/** Opens a request; numbers count per claim. */
async function insertRequest(tx, request) {
    await tx `
    insert into information_requests (id, claim_id, number, reason_code, requested_evidence_types, status, due_at, created_at)
    select ${request.id}, ${request.claim_id}, count(*) + 1, ${request.reason_code},
      ${tx.json([...request.requested_evidence_types])}, 'open', ${request.due_at}, ${request.created_at}
    from information_requests where claim_id = ${request.claim_id}`;
}
/** A claim's request by id; undefined where the claim has none of that id. */
async function findRequest(db, claimId, requestId) {
    const [row] = await db `
    select * from information_requests where claim_id = ${claimId} and id = ${requestId}`;
    return row;
}
/** The claim's open request, if it has one. */
async function openRequest(db, claimId) {
    const [row] = await db `
    select * from information_requests where claim_id = ${claimId} and status = 'open'`;
    return row;
}
/** Ends the claim's open request, if it has one. */
async function resolveOpenRequest(tx, claimId, status, resolvedAt) {
    await tx `
    update information_requests set status = ${status}, resolved_at = ${resolvedAt}
    where claim_id = ${claimId} and status = 'open'`;
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.appendFacts = appendFacts;
exports.factsKnownAt = factsKnownAt;
exports.claimsWithCause = claimsWithCause;
/** Appends facts to a claim whose row is locked. */
async function appendFacts(tx, claimId, facts) {
    if (facts.length === 0)
        return;
    const rows = facts.map((fact) => ({
        claim_id: claimId,
        sequence: fact.sequence,
        type: fact.type,
        cause: fact.cause,
        authority: fact.authority,
        effective_at: new Date(fact.effectiveAt),
        recorded_at: new Date(fact.recordedAt),
        previous_status: fact.previousStatus,
        next_status: fact.nextStatus,
        reason_code: fact.reasonCode,
        evidence_references: tx.json([...fact.evidenceReferences]),
        detail: fact.detail === null ? null : tx.json({ ...fact.detail }),
    }));
    await tx `insert into facts ${tx(rows)}`;
}
/** A claim's facts recorded and in effect at `cutoff` (epoch milliseconds, inclusive), in sequence. */
async function factsKnownAt(db, claimId, cutoff) {
    const at = new Date(cutoff);
    const rows = await db `
    select * from facts where claim_id = ${claimId} and recorded_at <= ${at} and effective_at <= ${at} order by sequence`;
    return rows.map(toFact);
}
/** Which of these claims have facts of a cause already. */
async function claimsWithCause(db, claimIds, cause) {
    const rows = await db `
    select distinct claim_id from facts where claim_id = any(${[...claimIds]}) and cause = ${cause}`;
    return new Set(rows.map((row) => row.claim_id));
}
function toFact(row) {
    return {
        sequence: row.sequence,
        type: row.type,
        detail: row.detail,
        effectiveAt: row.effective_at.getTime(),
        recordedAt: row.recorded_at.getTime(),
        previousStatus: row.previous_status,
        nextStatus: row.next_status,
        reasonCode: row.reason_code,
        evidenceReferences: row.evidence_references,
        cause: row.cause,
        authority: row.authority,
    };
}

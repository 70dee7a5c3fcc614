"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.valueAt = valueAt;
/**
 * The valuation: a claim's facts folded as they were known at a cutoff. A fact counts if both its effective_at and its
 * recorded_at are on or before it. The same facts and cutoff give the same bytes in every release; the golden files hold it to that.
 */
const contract_1 = require("@carecover/contract");
function learn(known, fact) {
    switch (fact.type) {
        case 'created':
            known.currency = fact.detail.currency;
            known.billed = fact.detail.billed;
            return;
        case 'approved':
        case 'partially_approved':
        case 'denied':
            known.judgement = fact.detail;
            return;
        case 'remittance_recorded':
            known.remitted += fact.detail.amount;
            return;
        case 'settled':
            known.settled += fact.detail.amount;
            return;
        case 'reversed':
            known.judgement = null;
            return;
        default:
            return;
    }
}
function toEvent(fact) {
    return {
        sequence: fact.sequence,
        type: fact.type,
        effective_at: (0, contract_1.formatInstant)(fact.effectiveAt),
        recorded_at: (0, contract_1.formatInstant)(fact.recordedAt),
        previous_status: fact.previousStatus,
        next_status: fact.nextStatus,
        reason_code: fact.reasonCode,
        evidence_references: [...fact.evidenceReferences],
    };
}
/**
 * Values a claim at `cutoff` (epoch milliseconds, inclusive); null before its first event.
 *
 * @param facts the claim's, in sequence; those not known at the cutoff are left out here
 */
function valueAt(claimId, facts, cutoff) {
    const included = facts.filter((fact) => fact.effectiveAt <= cutoff && fact.recordedAt <= cutoff);
    const last = included.at(-1);
    if (last === undefined)
        return null;
    const known = { currency: '', billed: 0, judgement: null, remitted: 0, settled: 0 };
    for (const fact of included)
        learn(known, fact);
    const { judgement } = known;
    return {
        id: `${claimId}:${(0, contract_1.formatInstant)(cutoff)}`,
        object: 'claim_valuation',
        claim_id: claimId,
        valuation_at: (0, contract_1.formatInstant)(cutoff),
        currency: known.currency,
        status: last.nextStatus,
        amount: {
            billed: known.billed,
            payer_liability: judgement?.payer ?? null,
            patient_responsibility: judgement?.patient_responsibility ?? null,
            adjustment: judgement?.adjustment ?? null,
            remitted: known.remitted,
            settled: known.settled,
            outstanding: judgement === null ? null : judgement.payer - known.settled,
        },
        policy: judgement === null
            ? null
            : { reference: judgement.policy.reference, version: judgement.policy.version },
        events: included.map(toEvent),
    };
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.eventOf = eventOf;
exports.eventData = eventData;
/** Which facts the world is told of, and in what words. */
const contract_1 = require("@carecover/contract");
/** The event of a fact; null where it has none. A lapse resubmits nothing, and a part of a settlement settles nothing. */
function eventOf(fact) {
    switch (fact.type) {
        case 'submitted':
            return fact.previousStatus === 'draft' ? 'claim.submitted' : null;
        case 'queried':
            return 'claim.information_requested';
        case 'resubmitted':
        case 'approved':
        case 'partially_approved':
        case 'denied':
        case 'reversed':
        case 'cancelled':
            return `claim.${fact.type}`;
        case 'settled':
            return fact.nextStatus === 'settled' && fact.previousStatus !== 'settled' ? 'claim.settled' : null;
        default:
            return null;
    }
}
/** A claim as an event shows it. */
function eventData(claim, standing) {
    const { status, approved, remitted, settled } = standing;
    if (status === 'none')
        throw new Error('a claim without facts has no events');
    return (0, contract_1.claimEventData)({
        id: claim.id,
        status,
        submission_version: standing.submissionVersion,
        amount: { currency: claim.currency, billed: claim.billed, approved, remitted, settled },
        adjudication: standing.decision === null ? null : { version: standing.adjudicationVersion },
    });
}

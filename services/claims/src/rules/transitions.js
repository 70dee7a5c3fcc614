"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.closedStatuses = exports.moveOfDecision = exports.moves = void 0;
exports.rowOf = rowOf;
exports.nextStatus = nextStatus;
/** What payments has decided is recorded in any state. */
const UNCHANGED = {
    submitted: 'submitted',
    queried: 'queried',
    approved: 'approved',
    partially_approved: 'partially_approved',
    denied: 'denied',
    settled: 'settled',
    reversed: 'reversed',
    cancelled: 'cancelled',
};
function fromUndecidedOrDecided(decision) {
    return { submitted: decision, approved: decision, partially_approved: decision, denied: decision };
}
exports.moves = {
    create: { fact: 'created', effective: 'now', to: { none: 'draft' } },
    validate: { fact: 'validated', effective: 'now', to: { draft: 'draft' } },
    submit: { fact: 'submitted', effective: 'now', to: { draft: 'submitted' } },
    query: { fact: 'queried', effective: 'now', to: { submitted: 'queried' } },
    lapse: { fact: 'submitted', effective: 'due_at', to: { queried: 'submitted' } },
    add_evidence: { fact: 'evidence_added', effective: 'now', to: { queried: 'queried' } },
    resubmit: { fact: 'resubmitted', effective: 'now', to: { queried: 'submitted' } },
    approve: { fact: 'approved', effective: 'decided_at', to: fromUndecidedOrDecided('approved') },
    approve_in_part: {
        fact: 'partially_approved',
        effective: 'decided_at',
        to: fromUndecidedOrDecided('partially_approved'),
    },
    deny: { fact: 'denied', effective: 'decided_at', to: fromUndecidedOrDecided('denied') },
    record_remittance: { fact: 'remittance_recorded', effective: 'received_at', to: UNCHANGED },
    settle_in_part: { fact: 'settled', effective: 'observed_at', to: { ...UNCHANGED, settled: 'decision' } },
    settle_in_full: {
        fact: 'settled',
        effective: 'observed_at',
        to: { ...UNCHANGED, approved: 'settled', partially_approved: 'settled' },
    },
    reconcile: { fact: 'reconciled', effective: 'reconciled_at', to: UNCHANGED },
    reverse: {
        fact: 'reversed',
        effective: 'now',
        to: { approved: 'reversed', partially_approved: 'reversed', settled: 'reversed' },
    },
    cancel: { fact: 'cancelled', effective: 'now', to: { submitted: 'cancelled', queried: 'cancelled' } },
};
/** The move by which an adjudication's decision is recorded. */
exports.moveOfDecision = {
    approved: 'approve',
    partially_approved: 'approve_in_part',
    denied: 'deny',
};
/** Statuses in which nothing can happen any more but what money does, or a reversal after settlement. */
exports.closedStatuses = ['settled', 'reversed', 'cancelled'];
/** The row of a move, with the types of the table's columns. */
function rowOf(move) {
    return exports.moves[move];
}
/**
 * The status that a move leads to; null where it is refused.
 *
 * @param decision of the adjudication that stands, null where none does
 */
function nextStatus(move, from, decision) {
    const to = rowOf(move).to[from];
    return (to === 'decision' ? decision : to) ?? null;
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.UNBORN = void 0;
exports.recordingTime = recordingTime;
exports.refusedMove = refusedMove;
exports.record = record;
exports.settlementMove = settlementMove;
const platform_1 = require("@carecover/platform");
const transitions_1 = require("./transitions");
/** Before the first fact. */
exports.UNBORN = {
    status: 'none',
    submissionVersion: 1,
    adjudicationVersion: 0,
    decision: null,
    approved: null,
    remitted: null,
    settled: null,
    lastSequence: 0,
    lastRecordedAt: Number.NEGATIVE_INFINITY,
    closedThrough: Number.NEGATIVE_INFINITY,
};
/**
 * The recorded_at of a commit. `now` must be read after the locks are held. Knowledge never precedes effect: where the clock
 * stepped back after the effect was checked, the effect's own time says how late it is at least.
 */
function recordingTime(now, standings, effects) {
    return Math.max(now, ...standings.flatMap((standing) => [standing.lastRecordedAt + 1, standing.closedThrough + 1]), ...effects.filter((effect) => effect !== undefined));
}
/** What a refused move is told as. */
function refusedMove(move, status) {
    const words = {
        query: 'asked about',
        add_evidence: 'answered with evidence',
        approve: 'adjudicated',
        approve_in_part: 'adjudicated',
        deny: 'adjudicated',
        reverse: 'reversed',
        cancel: 'cancelled',
    };
    return new platform_1.Refusal('invalid_state', `The claim is ${status}, so it can't be ${words[move] ?? 'changed so'}.`);
}
function carryForward(standing, happening, status) {
    switch (happening.move) {
        case 'resubmit':
            return { submissionVersion: standing.submissionVersion + 1 };
        case 'approve':
        case 'approve_in_part':
        case 'deny':
            return {
                decision: status,
                approved: happening.detail.payer,
                adjudicationVersion: happening.detail.version,
            };
        case 'record_remittance':
            return { remitted: (standing.remitted ?? 0) + happening.detail.amount };
        case 'settle_in_part':
        case 'settle_in_full':
            return { settled: (standing.settled ?? 0) + happening.detail.amount };
        case 'reverse':
            return { decision: null, approved: null };
        default:
            return {};
    }
}
/**
 * Applies what happens, in order, and gives the facts of it. Pure: nothing is changed where it throws.
 *
 * @throws Refusal invalid_state where the table has no such move from the claim's status
 */
function record(before, happenings, recordedAt) {
    let standing = before;
    const facts = [];
    for (const happening of happenings) {
        const status = (0, transitions_1.nextStatus)(happening.move, standing.status, standing.decision);
        if (status === null)
            throw refusedMove(happening.move, standing.status);
        const sequence = standing.lastSequence + 1;
        facts.push({
            type: (0, transitions_1.rowOf)(happening.move).fact,
            detail: happening.detail ?? null,
            sequence,
            effectiveAt: happening.effectiveAt ?? recordedAt,
            recordedAt,
            previousStatus: standing.status === 'none' ? null : standing.status,
            nextStatus: status,
            reasonCode: happening.reasonCode ?? null,
            evidenceReferences: happening.evidenceReferences ?? [],
            cause: happening.cause,
            authority: happening.authority,
        });
        standing = {
            ...standing,
            ...carryForward(standing, happening, status),
            status,
            lastSequence: sequence,
            lastRecordedAt: recordedAt,
        };
    }
    return { standing, facts };
}
/** The move by which an amount that moved (negative: was taken back) is recorded on a claim that stands so. */
function settlementMove(standing, amount) {
    return (standing.settled ?? 0) + amount === standing.approved ? 'settle_in_full' : 'settle_in_part';
}

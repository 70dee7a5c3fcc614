"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.submissionSteps = submissionSteps;
const platform_1 = require("@carecover/platform");
const lines_1 = require("../rules/lines");
const conflicts_1 = require("../store/conflicts");
const recorder_1 = require("../store/recorder");
const commit_1 = require("./commit");
/** How a rule of the claims' table that a submission would break is told; null for any other. */
function conflictRefusal(constraint) {
    switch (constraint) {
        case 'claims_reference_once':
            return new platform_1.Refusal('duplicate_claim_reference', '/provider_claim_reference is that of another claim.');
        case 'claims_one_live_a_session':
            return new platform_1.Refusal('session_already_claimed', '/session_id is the session of a live claim.');
        default:
            return null;
    }
}
/** Rolls a commit back without forgetting its command: that is dropped once what the submission used is given back. */
class Conflict extends Error {
    refusal;
    name = 'Conflict';
    constructor(refusal) {
        super(refusal.message);
        this.refusal = refusal;
    }
}
async function bringIntoBeing(tx, command, session, used) {
    const input = command.body;
    const { caller } = command;
    const lines = (0, lines_1.toLines)(input.lines);
    const birth = {
        id: command.resourceId,
        project_id: caller.tenant,
        environment: caller.environment,
        provider_claim_reference: input.provider_claim_reference,
        eligibility_check_id: input.eligibility_check_id,
        session_id: input.session_id,
        booking_id: session.bookingId,
        preauthorization_id: used.preauthorizationId,
        service_starts_at: new Date(session.startsAt),
        service_ends_at: new Date(session.endsAt),
        lines,
        currency: used.currency,
        billed: (0, lines_1.billed)(lines),
    };
    const by = { cause: command.id, authority: caller.authority };
    const now = (await (0, platform_1.databaseNow)(tx)).getTime();
    try {
        await (0, recorder_1.recordBirth)(tx, birth, [
            { move: 'create', detail: { currency: birth.currency, billed: birth.billed }, ...by },
            { move: 'validate', ...by },
            { move: 'submit', evidenceReferences: input.evidence_refs ?? [], ...by },
        ], now);
    }
    catch (error) {
        const refusal = conflictRefusal((0, platform_1.violatedConstraint)(error));
        throw refusal === null ? error : new Conflict(refusal);
    }
}
function submissionSteps(sql) {
    return {
        prepareSubmission: (of) => (0, commit_1.prepare)(sql, of, async (_tx, { body, caller }) => {
            const input = body;
            return {
                caller,
                sessionId: input.session_id,
                eligibilityCheckId: input.eligibility_check_id,
                preauthorizationId: input.preauthorization_id ?? null,
                serviceCodes: input.lines.map((line) => line.service_code),
            };
        }),
        async commitSubmission({ session, preauthorizationId, currency, ...of }) {
            try {
                return await (0, commit_1.commitWithAnswer)(sql, of, 201, (tx, command) => bringIntoBeing(tx, command, session, { preauthorizationId, currency }));
            }
            catch (error) {
                throw error instanceof Conflict ? error.refusal : error;
            }
        },
        async dropSubmission({ tenant, commandId, code }) {
            const command = await (0, platform_1.readCommand)(sql, commandId);
            if (command === null)
                return;
            await (0, platform_1.dropCommand)(sql, commandId);
            // Benefits remembers that a lost run gave this submission up: the caller begins anew, under another claim id.
            if (code === 'invalid_state')
                throw new platform_1.CommandGone(`the submission ${commandId} was given up`);
            // An authorization that a live claim of the same session uses is missing because of that claim, and that is told.
            if (code !== 'authorization_required')
                return;
            const input = command.body;
            const conflict = conflictRefusal(await (0, conflicts_1.findConflict)(sql, (0, platform_1.storedTenant)(tenant), input.provider_claim_reference, input.session_id));
            if (conflict !== null)
                throw conflict;
        },
    };
}

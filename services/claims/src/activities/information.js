"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.informationSteps = informationSteps;
const platform_1 = require("@carecover/platform");
const due_at_1 = require("../rules/due-at");
const recording_1 = require("../rules/recording");
const information_requests_1 = require("../store/information-requests");
const recorder_1 = require("../store/recorder");
const commit_1 = require("./commit");
const view_1 = require("./view");
function informationSteps(sql) {
    return {
        commitInformationRequest: (of) => (0, commit_1.commitOnClaim)(sql, of, 201, async (tx, { claim, lapse }, command) => {
            const input = command.body;
            const dueAt = (0, due_at_1.checkDueAt)(input, claim.now);
            const recordedAt = await (0, recorder_1.recordOn)(tx, claim, lapse, {
                move: 'query',
                cause: command.id,
                authority: command.caller.authority,
                reasonCode: input.reason_code,
            });
            await (0, information_requests_1.insertRequest)(tx, {
                id: (0, platform_1.newId)('cir_'),
                claim_id: of.claimId,
                reason_code: input.reason_code,
                requested_evidence_types: input.requested_evidence_types,
                due_at: dueAt,
                created_at: new Date(recordedAt),
            });
        }),
        commitEvidence: (of) => (0, commit_1.commitOnClaim)(sql, of, 200, async (tx, { claim, lapse, status }, command) => {
            const input = command.body;
            const request = await (0, information_requests_1.findRequest)(tx, of.claimId, input.information_request_id);
            if (request === undefined)
                throw (0, platform_1.notFound)();
            if (request.status !== 'open') {
                if (status !== 'queried')
                    throw (0, recording_1.refusedMove)('add_evidence', status);
                throw new platform_1.Refusal('invalid_state', `/information_request_id names a request that is ${request.status}.`);
            }
            const by = { cause: command.id, authority: command.caller.authority };
            const recordedAt = await (0, recorder_1.recordOn)(tx, claim, lapse, { move: 'add_evidence', evidenceReferences: input.evidence_refs, ...by }, { move: 'resubmit', ...by });
            await (0, information_requests_1.resolveOpenRequest)(tx, of.claimId, 'fulfilled', new Date(recordedAt));
        }),
        async lapseInformationRequest(of) {
            await sql.begin(async (tx) => {
                const { claim, lapse } = await (0, commit_1.lockInTime)(tx, of);
                if (lapse !== null)
                    await (0, recorder_1.recordOn)(tx, claim, lapse);
            });
            return (0, view_1.viewSteps)(sql).loadClaim(of);
        },
    };
}

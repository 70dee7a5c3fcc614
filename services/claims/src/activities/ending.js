"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.endingSteps = endingSteps;
const platform_1 = require("@carecover/platform");
const recording_1 = require("../rules/recording");
const transitions_1 = require("../rules/transitions");
const claims_1 = require("../store/claims");
const information_requests_1 = require("../store/information-requests");
const recorder_1 = require("../store/recorder");
const commit_1 = require("./commit");
const view_1 = require("./view");
function endingSteps(sql) {
    return {
        async prepareReversal(of) {
            const prepared = await (0, commit_1.prepare)(sql, of, async (tx, command) => {
                const { claim, status } = await (0, commit_1.lockInTime)(tx, of);
                if ((0, transitions_1.nextStatus)('reverse', status, claim.standing.decision) === null)
                    throw (0, recording_1.refusedMove)('reverse', status);
                await (0, claims_1.setInHand)(tx, of.claimId, { command_id: command.id, update: 'reverse', decided_at: null });
                return true;
            });
            return prepared === true;
        },
        commitReversal: (of) => (0, commit_1.commitOnClaim)(sql, of, 200, async (tx, { claim }, command) => {
            await (0, recorder_1.recordOn)(tx, claim, {
                move: 'reverse',
                cause: command.id,
                authority: command.caller.authority,
                reasonCode: command.body.reason_code,
            });
            await (0, claims_1.setInHand)(tx, of.claimId, null);
        }),
        commitCancellation: (of) => (0, commit_1.commitOnClaim)(sql, of, 200, async (tx, { claim, lapse }, command) => {
            const recordedAt = await (0, recorder_1.recordOn)(tx, claim, lapse, {
                move: 'cancel',
                cause: command.id,
                authority: command.caller.authority,
                reasonCode: command.body.reason_code,
            });
            await (0, information_requests_1.resolveOpenRequest)(tx, of.claimId, 'cancelled', new Date(recordedAt));
        }),
        async recordFreed(of) {
            await (0, claims_1.setFreed)(sql, (0, platform_1.storedTenant)(of.tenant), of.claimId);
            return (0, view_1.viewSteps)(sql).loadClaim(of);
        },
    };
}

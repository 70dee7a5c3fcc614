"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.commandHandlers = commandHandlers;
/**
 * Everything that is asked of a claim: a command row, then an Update of the claim's workflow, which decides. What can be told at
 * once (an unknown claim, a deadline in the past) is refused before the workflow is troubled.
 */
const platform_1 = require("@carecover/platform");
const due_at_1 = require("../rules/due-at");
const claims_1 = require("../store/claims");
const workflow_1 = require("../workflow");
const visible_1 = require("./visible");
function commandHandlers(sql, engine) {
    function send(call, claimId, precheck) {
        const { tenant, environment, authority, requestId } = call.caller;
        return (0, platform_1.carryOut)(sql, call, {
            resourceId: claimId,
            body: call.body,
            replayStatus: call.replayStatus,
            ...(precheck === undefined ? {} : { precheck }),
            send: (command) => engine.command(command.resourceId, (0, workflow_1.workflowOf)({ claimId: command.resourceId, tenant, environment }), workflow_1.updateOf[call.operation], { commandId: command.id, authority, requestId }),
        });
    }
    async function requireClaim({ caller }, claimId) {
        (0, visible_1.requireVisible)(caller, claimId);
        if (!(await (0, claims_1.claimExists)(sql, caller.tenant, claimId)))
            throw (0, platform_1.notFound)();
    }
    const toClaim = (call) => {
        const { claim_id } = call.params;
        return send(call, claim_id, () => requireClaim(call, claim_id));
    };
    return {
        createClaim: (call) => send(call, (0, platform_1.newId)('clm_')),
        requestClaimInformation(call) {
            const { claim_id } = call.params;
            return send(call, claim_id, async () => {
                (0, due_at_1.checkDueAt)(call.body, (await (0, platform_1.databaseNow)(sql)).getTime());
                await requireClaim(call, claim_id);
            });
        },
        submitClaimEvidence: toClaim,
        adjudicateClaim: toClaim,
        cancelClaim: toClaim,
        reverseClaim: toClaim,
    };
}

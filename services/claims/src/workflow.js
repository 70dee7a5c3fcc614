"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.updateOf = exports.TASK_QUEUE = void 0;
exports.isClaimCommand = isClaimCommand;
exports.workflowOf = workflowOf;
const workflow_1 = require("@carecover/platform/workflow");
exports.TASK_QUEUE = 'claims';
/** Which Update carries out which operation. */
exports.updateOf = {
    createClaim: 'submit',
    requestClaimInformation: 'requestInformation',
    submitClaimEvidence: 'submitEvidence',
    adjudicateClaim: 'adjudicate',
    cancelClaim: 'cancel',
    reverseClaim: 'reverse',
};
function isClaimCommand(operation) {
    return Object.hasOwn(exports.updateOf, operation);
}
/** How a claim's workflow is started. */
function workflowOf(claim) {
    const input = {
        resourceId: claim.claimId,
        tenant: claim.tenant,
        environment: claim.environment,
    };
    return {
        type: 'claim',
        taskQueue: exports.TASK_QUEUE,
        args: [input],
        typedSearchAttributes: [
            { key: workflow_1.ENVIRONMENT, value: claim.environment },
            { key: workflow_1.PROJECT_ID, value: claim.tenant },
        ],
        staticSummary: `Claim ${claim.claimId}`,
    };
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.lockInTime = lockInTime;
exports.commitOnClaim = commitOnClaim;
exports.commitWithAnswer = commitWithAnswer;
exports.prepare = prepare;
/** The frame of every step that changes a claim: its row locked, a lapse that is due counted first, and one transaction for all. */
const platform_1 = require("@carecover/platform");
const claims_1 = require("../store/claims");
const claims_in_full_1 = require("../store/claims-in-full");
const information_requests_1 = require("../store/information-requests");
const view_1 = require("./view");
/** Locks the claim and ends its open request if that is due. @throws Refusal resource_not_found */
async function lockInTime(tx, { tenant, claimId }) {
    const claim = await (0, claims_1.lockClaim)(tx, (0, platform_1.storedTenant)(tenant), claimId);
    const { status } = claim.standing;
    const request = status === 'queried' ? await (0, information_requests_1.openRequest)(tx, claimId) : undefined;
    const dueAt = request?.due_at;
    if (request === undefined || dueAt == null || dueAt.getTime() > claim.now) {
        return { claim, lapse: null, status };
    }
    await (0, information_requests_1.resolveOpenRequest)(tx, claimId, 'cancelled', dueAt);
    const lapse = {
        move: 'lapse',
        cause: request.id,
        authority: 'service:claims',
        effectiveAt: dueAt.getTime(),
        reasonCode: 'information_request_lapsed',
    };
    return { claim, lapse, status: 'submitted' };
}
/**
 * Carries a command out in its one committing transaction and answers it with the claim as it then is.
 *
 * @param status the answer's HTTP status
 * @throws Refusal as `effect` refuses, resource_not_found; CommandGone
 */
async function commitOnClaim(sql, of, status, effect) {
    return commitWithAnswer(sql, of, status, async (tx, command) => effect(tx, await lockInTime(tx, of), command));
}
/** As {@link commitOnClaim}, for an effect that locks, or makes, the claim itself. */
async function commitWithAnswer(sql, of, status, effect) {
    const tenant = (0, platform_1.storedTenant)(of.tenant);
    let after = null;
    await (0, platform_1.commitCommand)(sql, of.commandId, async (tx, command) => {
        await effect(tx, command);
        after = await (0, claims_in_full_1.findClaimInFull)(tx, tenant, of.claimId);
        if (after === null)
            throw new Error(`claim ${of.claimId} is not there after its commit`);
        return { status, body: (0, claims_in_full_1.toClaim)(after) };
    });
    return (0, view_1.viewOf)(after ?? (await (0, claims_in_full_1.findClaimInFull)(sql, tenant, of.claimId)));
}
/**
 * A step before the commit: reads the command, and drops it where `step` refuses. Null where it was answered before.
 *
 * @throws Refusal as `step` refuses; CommandGone
 */
async function prepare(sql, of, step) {
    const command = await (0, platform_1.readCommand)(sql, of.commandId);
    if (command === null)
        throw new platform_1.CommandGone(`command ${of.commandId} is gone`);
    if (command.answered)
        return null;
    try {
        const prepared = await sql.begin((tx) => step(tx, command));
        (0, platform_1.failpoint)('command.prepared', command.operation);
        return prepared;
    }
    catch (error) {
        if (error instanceof platform_1.Refusal)
            await (0, platform_1.dropCommand)(sql, of.commandId);
        throw error;
    }
}

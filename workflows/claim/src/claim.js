"use strict";
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    var desc = Object.getOwnPropertyDescriptor(m, k);
    if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
      desc = { enumerable: true, get: function() { return m[k]; } };
    }
    Object.defineProperty(o, k2, desc);
}) : (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    o[k2] = m[k];
}));
var __setModuleDefault = (this && this.__setModuleDefault) || (Object.create ? (function(o, v) {
    Object.defineProperty(o, "default", { enumerable: true, value: v });
}) : function(o, v) {
    o["default"] = v;
});
var __importStar = (this && this.__importStar) || (function () {
    var ownKeys = function(o) {
        ownKeys = Object.getOwnPropertyNames || function (o) {
            var ar = [];
            for (var k in o) if (Object.prototype.hasOwnProperty.call(o, k)) ar[ar.length] = k;
            return ar;
        };
        return ownKeys(o);
    };
    return function (mod) {
        if (mod && mod.__esModule) return mod;
        var result = {};
        if (mod != null) for (var k = ownKeys(mod), i = 0; i < k.length; i++) if (k[i] !== "default") __createBinding(result, mod, k[i]);
        __setModuleDefault(result, mod);
        return result;
    };
})();
Object.defineProperty(exports, "__esModule", { value: true });
exports.claim = claim;
/**
 * The story of a claim, from its submission until nothing can happen any more. Commands arrive as Updates and are carried out one
 * at a time, each by steps that look at the facts anew: the workflow remembers only what it waits for.
 *
 * A step that may refuse comes before one that can't. What another service gave is given back if a later one refuses. The run
 * ends when the claim is settled, reversed or cancelled, and a command that reaches it later begins a new one, from the facts.
 */
const workflow_1 = require("@carecover/platform/workflow");
const workflow_2 = require("@temporalio/workflow");
const messages = __importStar(require("./messages"));
const operator_1 = require("./operator");
const services_1 = require("./services");
/** How long a run waits for the submission that started it. */
const SUBMISSION_WAIT_MS = 10_000;
/** The timer's clock may be ahead of the database's, which decides whether a request has lapsed. */
const LAPSE_RETRY_MS = 1_000;
const ENDED = ['none', 'settled', 'reversed', 'cancelled'];
async function claim(input) {
    const id = { tenant: input.tenant, claimId: input.resourceId };
    const turns = new workflow_1.Turns();
    const display = new operator_1.OperatorDisplay();
    let view = { status: 'none', dueAt: null, toFree: false, unfinished: null, words: '' };
    let commands = 0;
    let news = false;
    function see(seen) {
        view = seen;
        display.show(seen);
    }
    async function submit(commandId) {
        const command = { ...id, commandId };
        const submission = await services_1.own.prepareSubmission(command);
        if (submission === null)
            return services_1.own.loadClaim(id);
        let mayHaveUsed = false;
        try {
            const session = await services_1.care.sessionForClaim({
                tenant: input.tenant,
                sessionId: submission.sessionId,
            });
            mayHaveUsed = true;
            const used = await (0, services_1.useForClaim)({
                caller: submission.caller,
                claimId: input.resourceId,
                eligibilityCheckId: submission.eligibilityCheckId,
                preauthorizationId: submission.preauthorizationId,
                session,
                serviceCodes: submission.serviceCodes,
            });
            return await services_1.own.commitSubmission({ ...command, session, ...used });
        }
        catch (error) {
            const refusal = (0, workflow_1.refusalIn)(error);
            if (refusal === null)
                throw error;
            if (mayHaveUsed)
                await (0, services_1.freeFromClaim)(id);
            await services_1.own.dropSubmission({ ...command, code: String(refusal.details?.[0]) });
            throw refusal;
        }
    }
    const requestInformation = (commandId) => services_1.own.commitInformationRequest({ ...id, commandId });
    const submitEvidence = (commandId) => services_1.own.commitEvidence({ ...id, commandId });
    async function adjudicate(commandId) {
        const command = { ...id, commandId };
        const liability = await services_1.own.prepareAdjudication(command);
        if (liability === null)
            return services_1.own.loadClaim(id);
        try {
            await (0, services_1.openLiability)(liability);
        }
        catch (error) {
            if ((0, workflow_1.refusalIn)(error) !== null)
                await services_1.own.dropInHand(command);
            throw error;
        }
        return services_1.own.commitAdjudication({ ...command, decidedAt: liability.decidedAt });
    }
    async function reverse(commandId) {
        const command = { ...id, commandId };
        if (!(await services_1.own.prepareReversal(command)))
            return free(await services_1.own.loadClaim(id));
        try {
            await (0, services_1.reverseLiability)(id);
        }
        catch (error) {
            if ((0, workflow_1.refusalIn)(error) !== null)
                await services_1.own.dropInHand(command);
            throw error;
        }
        return free(await services_1.own.commitReversal(command));
    }
    async function cancel(commandId) {
        return free(await services_1.own.commitCancellation({ ...id, commandId }));
    }
    /** What a cancelled or reversed claim used can be used by another. */
    async function free(seen) {
        if (!seen.toFree)
            return seen;
        await (0, services_1.freeFromClaim)(id);
        return services_1.own.recordFreed(id);
    }
    /** A new run, be it a birth, a revival or after a restore, first ends what a lost one left half done. */
    async function open() {
        see(await services_1.own.loadClaim(id));
        if (view.unfinished !== null) {
            const { update, commandId } = view.unfinished;
            try {
                see(await (update === 'adjudicate' ? adjudicate(commandId) : reverse(commandId)));
            }
            catch (error) {
                // Its caller hears of the refusal by repeating the request; the claim stands as it did.
                if ((0, workflow_1.refusalIn)(error) === null)
                    throw error;
                see(await services_1.own.loadClaim(id));
            }
        }
        see(await free(view));
    }
    const inTurn = (carryOut) => ({ commandId }) => {
        commands += 1;
        return turns.take(async () => {
            try {
                see(await carryOut(commandId));
            }
            catch (error) {
                throw (0, workflow_1.refusalIn)(error) ?? error;
            }
        });
    };
    const opened = turns.take(open);
    (0, workflow_2.setHandler)(messages.submit, inTurn(submit));
    (0, workflow_2.setHandler)(messages.requestInformation, inTurn(requestInformation));
    (0, workflow_2.setHandler)(messages.submitEvidence, inTurn(submitEvidence));
    (0, workflow_2.setHandler)(messages.adjudicate, inTurn(adjudicate));
    (0, workflow_2.setHandler)(messages.cancel, inTurn(cancel));
    (0, workflow_2.setHandler)(messages.reverse, inTurn(reverse));
    (0, workflow_2.setHandler)(messages.recorded, () => {
        news = true;
    });
    await opened;
    if (view.status === 'none') {
        await (0, workflow_2.condition)(() => commands > 0, SUBMISSION_WAIT_MS, { summary: 'The submission arrives' });
    }
    let notBefore = 0;
    for (;;) {
        const { dueAt } = view;
        const rested = () => turns.idle && (0, workflow_2.allHandlersFinished)();
        const full = () => (0, workflow_2.workflowInfo)().continueAsNewSuggested ||
            (0, workflow_2.workflowInfo)().historyLength > (input.historyLimit ?? Number.POSITIVE_INFINITY);
        const somethingToDo = () => news || view.dueAt !== dueAt || (rested() && (ENDED.includes(view.status) || full()));
        const due = dueAt === null ? null : Math.max(Date.parse(dueAt), notBefore);
        if (due === null)
            await (0, workflow_2.condition)(somethingToDo);
        else if (due > Date.now())
            await (0, workflow_2.condition)(somethingToDo, due - Date.now(), { summary: 'The information request lapses' });
        if (news) {
            news = false;
            await turns.take(async () => see(await free(await services_1.own.lapseInformationRequest(id))));
        }
        else if (due !== null && view.dueAt === dueAt && Date.now() >= due) {
            await turns.take(async () => see(await services_1.own.lapseInformationRequest(id)));
            if (view.dueAt === dueAt)
                notBefore = Date.now() + LAPSE_RETRY_MS;
        }
        else if (rested() && ENDED.includes(view.status)) {
            return;
        }
        else if (rested() && full()) {
            await (0, workflow_2.continueAsNew)(input);
        }
    }
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.adjudicationSteps = adjudicationSteps;
const platform_1 = require("@carecover/platform");
const adjudication_1 = require("../rules/adjudication");
const recording_1 = require("../rules/recording");
const transitions_1 = require("../rules/transitions");
const adjudications_1 = require("../store/adjudications");
const claims_1 = require("../store/claims");
const recorder_1 = require("../store/recorder");
const commit_1 = require("./commit");
/** The same for every try of a command, so that payments knows a repeat. */
function adjudicationId(command) {
    return `adj_${command.id.slice('cmd_'.length)}`;
}
/** When the decision was made: kept with the command in hand, so that a repeat after a crash says the same. */
function decidedAt(claim, command) {
    const { in_hand } = claim.row;
    const known = in_hand?.command_id === command.id ? in_hand.decided_at : null;
    return known ?? new Date(claim.now).toISOString();
}
function adjudicationSteps(sql) {
    return {
        prepareAdjudication: (of) => (0, commit_1.prepare)(sql, of, async (tx, command) => {
            const input = command.body;
            const { claim, lapse, status } = await (0, commit_1.lockInTime)(tx, of);
            const { row, standing } = claim;
            if ((0, transitions_1.nextStatus)('approve', status, standing.decision) === null)
                throw (0, recording_1.refusedMove)('approve', status);
            if ((standing.remitted ?? 0) > 0)
                throw new platform_1.Refusal('invalid_state', 'Something is remitted to the claim, so its adjudication stands.');
            const { totals } = (0, adjudication_1.judge)(row.lines, input.lines);
            if (lapse !== null)
                await (0, recorder_1.recordOn)(tx, claim, lapse);
            const decided = decidedAt(claim, command);
            await (0, claims_1.setInHand)(tx, row.id, { command_id: command.id, update: 'adjudicate', decided_at: decided });
            return {
                tenant: row.project_id,
                environment: row.environment,
                claimId: row.id,
                adjudicationId: adjudicationId(command),
                adjudicationVersion: standing.adjudicationVersion + 1,
                currency: row.currency,
                amount: totals,
                decidedAt: decided,
            };
        }),
        commitAdjudication: ({ decidedAt, ...of }) => (0, commit_1.commitOnClaim)(sql, of, 200, async (tx, { claim, lapse }, command) => {
            const input = command.body;
            const { row, standing } = claim;
            const judged = (0, adjudication_1.judge)(row.lines, input.lines);
            const adjudication = (0, adjudication_1.toAdjudication)(input, judged, {
                id: adjudicationId(command),
                version: standing.adjudicationVersion + 1,
                currency: row.currency,
                decidedAt,
            });
            const { payer, patient_responsibility, adjustment } = judged.totals;
            await (0, recorder_1.recordOn)(tx, claim, lapse, {
                move: transitions_1.moveOfDecision[judged.decision],
                cause: command.id,
                authority: command.caller.authority,
                effectiveAt: Date.parse(decidedAt),
                reasonCode: input.reason_codes[0] ?? null,
                evidenceReferences: input.evidence_refs ?? [],
                detail: {
                    adjudication_id: adjudication.id,
                    version: adjudication.version,
                    payer,
                    patient_responsibility,
                    adjustment,
                    policy: adjudication.policy,
                },
            });
            await (0, adjudications_1.insertAdjudication)(tx, row.id, adjudication);
            await (0, claims_1.setInHand)(tx, row.id, null);
        }),
        async dropInHand({ claimId, commandId }) {
            await sql.begin(async (tx) => {
                await (0, claims_1.clearInHand)(tx, commandId, claimId);
                await (0, platform_1.dropCommand)(tx, commandId);
            });
        },
    };
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.deriveDecision = deriveDecision;
exports.judge = judge;
exports.toAdjudication = toAdjudication;
/** The arithmetic of an adjudication: exact integers in minor units, every refusal naming its line by a JSON pointer. */
const contract_1 = require("@carecover/contract");
const platform_1 = require("@carecover/platform");
function mismatch(pointer, message) {
    return new platform_1.Refusal('adjudication_lines_mismatch', `${pointer} ${message}`);
}
/** Every claim line exactly once, with its own billed amount. */
function checkLines(claimLines, lines) {
    const billedOf = new Map(claimLines.map((line) => [line.line_number, line.amount]));
    const seen = new Set();
    for (const [index, { line_number, amount }] of lines.entries()) {
        const billed = billedOf.get(line_number);
        if (billed === undefined)
            throw mismatch(`/lines/${index}/line_number`, `names no line of the claim: ${line_number}`);
        if (seen.has(line_number))
            throw mismatch(`/lines/${index}/line_number`, `names line ${line_number} a second time`);
        if (amount.billed !== billed)
            throw mismatch(`/lines/${index}/amount/billed`, `must be what line ${line_number} billed: ${billed}`);
        seen.add(line_number);
    }
    const missing = claimLines.find((line) => !seen.has(line.line_number));
    if (missing !== undefined)
        throw mismatch('/lines', `must judge line ${missing.line_number} too`);
}
/** On every line, billed = allowed + adjustment and allowed = payer + patient_responsibility. */
function checkBalance(lines) {
    for (const [index, { amount }] of lines.entries()) {
        const { billed, allowed, payer, patient_responsibility, adjustment } = amount;
        if ((0, contract_1.sumMoney)([allowed, adjustment]) !== billed) {
            throw new platform_1.Refusal('adjudication_unbalanced', `/lines/${index}/amount/billed must be allowed plus adjustment`);
        }
        if ((0, contract_1.sumMoney)([payer, patient_responsibility]) !== allowed) {
            throw new platform_1.Refusal('adjudication_unbalanced', `/lines/${index}/amount/allowed must be payer plus patient_responsibility`);
        }
    }
}
function total(lines, pick) {
    const sum = (0, contract_1.sumMoney)(lines.map((line) => pick(line.amount)));
    if (sum === undefined)
        throw new platform_1.Refusal('validation_failed', '/lines must have a sum of at most 9007199254740991');
    return sum;
}
/** The payer's total decides: none of what was billed, all of it, or a part. */
function deriveDecision({ billed, payer }) {
    if (payer === 0)
        return 'denied';
    return payer === billed ? 'approved' : 'partially_approved';
}
/**
 * Judges a claim's lines.
 *
 * @throws Refusal adjudication_lines_mismatch, adjudication_unbalanced, or validation_failed for a sum beyond 2^53 - 1
 */
function judge(claimLines, lines) {
    checkLines(claimLines, lines);
    checkBalance(lines);
    const totals = {
        billed: total(lines, (amount) => amount.billed),
        payer: total(lines, (amount) => amount.payer),
        patient_responsibility: total(lines, (amount) => amount.patient_responsibility),
        adjustment: total(lines, (amount) => amount.adjustment),
    };
    return { totals, decision: deriveDecision(totals) };
}
/** The adjudication as the claim shows it and as it is kept. */
function toAdjudication(input, judged, circumstances) {
    return {
        id: circumstances.id,
        object: 'claim_adjudication',
        version: circumstances.version,
        decision: judged.decision,
        amount: { currency: circumstances.currency, ...judged.totals },
        reason_codes: [...input.reason_codes],
        policy: { reference: input.policy_reference, version: input.policy_version },
        lines: input.lines.map(({ line_number, amount, reason_codes }) => ({
            line_number,
            amount: {
                billed: amount.billed,
                allowed: amount.allowed,
                payer: amount.payer,
                patient_responsibility: amount.patient_responsibility,
                adjustment: amount.adjustment,
            },
            reason_codes: [...reason_codes],
        })),
        decided_at: circumstances.decidedAt,
    };
}

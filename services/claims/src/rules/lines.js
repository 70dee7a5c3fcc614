"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.toLines = toLines;
exports.billed = billed;
/** A claim's lines as they are kept: numbered from 1 in the order of input. */
const contract_1 = require("@carecover/contract");
const platform_1 = require("@carecover/platform");
function toLines(lines) {
    return lines.map((line, index) => ({
        line_number: index + 1,
        code_system: line.code_system,
        code_system_version: line.code_system_version ?? null,
        service_code: line.service_code,
        units: line.units,
        amount: line.amount,
    }));
}
/** The exact sum of the lines in minor units. @throws Refusal validation_failed beyond 2^53 - 1 */
function billed(lines) {
    const sum = (0, contract_1.sumMoney)(lines.map((line) => line.amount));
    if (sum === undefined)
        throw new platform_1.Refusal('validation_failed', '/lines must have a sum of at most 9007199254740991');
    return sum;
}

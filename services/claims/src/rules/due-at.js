"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.checkDueAt = checkDueAt;
/** Until when an information request may be answered. */
const contract_1 = require("@carecover/contract");
const platform_1 = require("@carecover/platform");
/** The deadline, or null for none. @param now epoch milliseconds @throws Refusal validation_failed where it is not in the future */
function checkDueAt({ due_at }, now) {
    if (due_at == null)
        return null;
    const dueAt = (0, contract_1.parseInstant)(due_at);
    if (dueAt <= now)
        throw new platform_1.Refusal('validation_failed', '/due_at must be in the future');
    return new Date(dueAt);
}

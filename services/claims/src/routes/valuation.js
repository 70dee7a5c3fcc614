"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.valuationHandlers = valuationHandlers;
/** The claim's value at a cutoff. */
const contract_1 = require("@carecover/contract");
const valuation_1 = require("../valuation");
const visible_1 = require("./visible");
function valuationHandlers(sql) {
    return {
        async getClaimValuation({ caller, params, query }) {
            (0, visible_1.requireVisible)(caller, params.claim_id);
            const cutoff = (0, contract_1.parseInstant)(query.valuation_at);
            return { status: 200, body: await (0, valuation_1.valueClaim)(sql, caller.tenant, params.claim_id, cutoff) };
        },
    };
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.claimHandlers = claimHandlers;
/** Reading claims: one, or a page of them. */
const platform_1 = require("@carecover/platform");
const claims_in_full_1 = require("../store/claims-in-full");
const visible_1 = require("./visible");
function claimHandlers(sql) {
    return {
        async listClaims({ caller, query }) {
            const filter = query.status === undefined ? sql `` : sql `and status = ${query.status}`;
            return {
                status: 200,
                body: await (0, platform_1.listPage)(sql, caller, 'claims_in_full', query, filter, claims_in_full_1.toClaim),
            };
        },
        async getClaim({ caller, params }) {
            (0, visible_1.requireVisible)(caller, params.claim_id);
            return { status: 200, body: await (0, claims_in_full_1.readClaim)(sql, caller.tenant, params.claim_id) };
        },
    };
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.requireVisible = requireVisible;
/** A token that is narrowed to some resources sees no other. */
const platform_1 = require("@carecover/platform");
/** @throws Refusal resource_not_found where the caller may not see this claim */
function requireVisible(caller, claimId) {
    if (caller.resourceIds !== null && !caller.resourceIds.includes(claimId))
        throw (0, platform_1.notFound)();
}

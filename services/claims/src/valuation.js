"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.valueClaim = valueClaim;
/**
 * Answers a cutoff: waits for one that is just ahead, closes the claim through it, folds the facts. Once answered, a cutoff has
 * the same answer for ever, whatever is recorded later and whatever the clock does.
 */
const promises_1 = require("node:timers/promises");
const contract_1 = require("@carecover/contract");
const platform_1 = require("@carecover/platform");
const valuation_1 = require("./rules/valuation");
const closing_1 = require("./store/closing");
const facts_1 = require("./store/facts");
/** A clock that is set back while a cutoff is waited for is not waited for a second time. */
const LONGEST_WAIT_MS = contract_1.VALUATION_LOOKAHEAD_MS + 1_000;
/** Returns when everything recorded through the cutoff is final. @throws Refusal as {@link valueClaim} */
async function makeFinal(sql, tenant, claimId, cutoff) {
    for (let waited = 0;;) {
        const { through, now } = await (0, closing_1.horizonOf)(sql, tenant, claimId);
        if (through !== null && cutoff <= through)
            return;
        const ahead = cutoff - now;
        if (ahead > contract_1.VALUATION_LOOKAHEAD_MS) {
            throw new platform_1.Refusal('validation_failed', `/query/valuation_at is more than 5 seconds ahead of the server's time, which is ${(0, contract_1.formatInstant)(now)}`);
        }
        if (through === null)
            throw (0, platform_1.notFound)();
        if (ahead <= 0)
            return (0, closing_1.closeThrough)(sql, claimId, cutoff);
        if (waited + ahead > LONGEST_WAIT_MS)
            throw (0, platform_1.unavailable)('The time of this cutoff');
        await (0, promises_1.setTimeout)(ahead);
        waited += ahead;
    }
}
/**
 * The claim as it was known at `cutoff` (epoch milliseconds, inclusive).
 *
 * @throws Refusal validation_failed (a cutoff more than 5 s ahead that was never answered), resource_not_found (no such claim, or
 *   before its first event)
 */
async function valueClaim(sql, tenant, claimId, cutoff) {
    await makeFinal(sql, tenant, claimId, cutoff);
    const valuation = (0, valuation_1.valueAt)(claimId, await (0, facts_1.factsKnownAt)(sql, claimId, cutoff), cutoff);
    if (valuation === null)
        throw (0, platform_1.notFound)();
    return valuation;
}

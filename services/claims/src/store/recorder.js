"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.recordOnAll = recordOnAll;
exports.recordOn = recordOn;
exports.recordBirth = recordBirth;
/**
 * The committing of facts: inside the caller's transaction, under the rows' locks, the facts, where each claim stands after them,
 * and the events that tell of them. There is no other way to change a claim.
 */
const platform_1 = require("@carecover/platform");
const events_1 = require("../rules/events");
const recording_1 = require("../rules/recording");
const claims_1 = require("./claims");
const facts_1 = require("./facts");
/** Tells of the facts; gives the claim's event version after it. */
async function tell(tx, claim, standing, facts, eventVersion) {
    let version = eventVersion;
    for (const fact of facts) {
        const type = (0, events_1.eventOf)(fact);
        if (type === null)
            continue;
        version += 1;
        await (0, platform_1.appendEvent)(tx, {
            tenant: claim.project_id,
            environment: claim.environment,
            type,
            resourceId: claim.id,
            resourceVersion: version,
            createdAt: new Date(fact.recordedAt),
            data: { ...(0, events_1.eventData)(claim, standing) },
        });
    }
    return version;
}
/**
 * Records on several locked claims, with one recorded_at for all; gives that moment in epoch milliseconds.
 *
 * @throws Refusal invalid_state where the transition table refuses
 */
async function recordOnAll(tx, entries) {
    const recordedAt = (0, recording_1.recordingTime)(Math.max(...entries.map(({ claim }) => claim.now)), entries.map(({ claim }) => claim.standing), entries.flatMap(({ happenings }) => happenings.map((happening) => happening.effectiveAt)));
    for (const { claim, happenings } of entries) {
        const { standing, facts } = (0, recording_1.record)(claim.standing, happenings, recordedAt);
        await (0, facts_1.appendFacts)(tx, claim.row.id, facts);
        const eventVersion = await tell(tx, claim.row, standing, facts, claim.row.event_version);
        await (0, claims_1.updateStanding)(tx, claim.row.id, standing, eventVersion);
    }
    return recordedAt;
}
/** Records on one locked claim; as {@link recordOnAll}. */
function recordOn(tx, claim, ...happenings) {
    return recordOnAll(tx, [{ claim, happenings: happenings.filter((happening) => happening !== null) }]);
}
/** Records a claim's first facts, and so brings it into being. `now` in epoch milliseconds. */
async function recordBirth(tx, birth, happenings, now) {
    const { standing, facts } = (0, recording_1.record)(recording_1.UNBORN, happenings, now);
    await (0, claims_1.insertClaim)(tx, birth, standing);
    await (0, facts_1.appendFacts)(tx, birth.id, facts);
    const eventVersion = await tell(tx, birth, standing, facts, 0);
    await (0, claims_1.updateStanding)(tx, birth.id, standing, eventVersion);
}

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.lockClaims = lockClaims;
exports.lockClaim = lockClaim;
exports.insertClaim = insertClaim;
exports.updateStanding = updateStanding;
exports.setInHand = setInHand;
exports.clearInHand = clearInHand;
exports.claimExists = claimExists;
exports.setFreed = setFreed;
const platform_1 = require("@carecover/platform");
function standingOf(row) {
    return {
        status: row.status,
        submissionVersion: row.submission_version,
        adjudicationVersion: row.adjudication_version,
        decision: row.decision,
        approved: row.approved,
        remitted: row.remitted,
        settled: row.settled,
        lastSequence: row.last_sequence,
        lastRecordedAt: row.last_recorded_at.getTime(),
        closedThrough: row.closed_through?.getTime() ?? Number.NEGATIVE_INFINITY,
    };
}
/** Locks claims in the order of their ids, so that two lockers never wait for each other. Unknown ones are left out. */
async function lockClaims(tx, tenant, claimIds) {
    // Two statements: the clock may be read only when every lock is held.
    const [rows, [time]] = await Promise.all([
        tx `
      select * from claims where project_id = ${tenant} and id = any(${[...claimIds]}) order by id for update`,
        tx `select platform.now() as now`,
    ]);
    if (time === undefined)
        throw new Error('the database told no time');
    const now = time.now.getTime();
    return rows.map((row) => ({ row, standing: standingOf(row), now }));
}
/** Locks one claim. @throws Refusal resource_not_found */
async function lockClaim(tx, tenant, claimId) {
    const [claim] = await lockClaims(tx, tenant, [claimId]);
    if (claim === undefined)
        throw (0, platform_1.notFound)();
    return claim;
}
/** Makes a claim's row with where its first facts leave it. */
async function insertClaim(tx, birth, standing) {
    const recordedAt = new Date(standing.lastRecordedAt);
    await tx `
    insert into claims (id, project_id, environment, provider_claim_reference, eligibility_check_id, session_id, booking_id,
      preauthorization_id, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
      adjudication_version, last_sequence, event_version, last_recorded_at, created_at, submitted_at)
    values (${birth.id}, ${birth.project_id}, ${birth.environment}, ${birth.provider_claim_reference},
      ${birth.eligibility_check_id}, ${birth.session_id}, ${birth.booking_id}, ${birth.preauthorization_id},
      ${birth.service_starts_at}, ${birth.service_ends_at}, ${tx.json(birth.lines)}, ${birth.currency}, ${birth.billed},
      ${standing.status}, ${standing.submissionVersion}, ${standing.adjudicationVersion}, ${standing.lastSequence}, 0,
      ${recordedAt}, ${recordedAt}, ${recordedAt})`;
}
/** Writes where a locked claim stands after its new facts. */
async function updateStanding(tx, claimId, standing, eventVersion) {
    await tx `
    update claims set
      status = ${standing.status},
      submission_version = ${standing.submissionVersion},
      adjudication_version = ${standing.adjudicationVersion},
      decision = ${standing.decision},
      approved = ${standing.approved},
      remitted = ${standing.remitted},
      settled = ${standing.settled},
      last_sequence = ${standing.lastSequence},
      last_recorded_at = ${new Date(standing.lastRecordedAt)},
      event_version = ${eventVersion}
    where id = ${claimId}`;
}
/** Notes, or forgets, that a command's step in another service may have been taken. */
async function setInHand(db, claimId, inHand) {
    await db `update claims set in_hand = ${inHand === null ? null : db.json({ ...inHand })} where id = ${claimId}`;
}
/** Forgets what was in hand for a command that another service refused. */
async function clearInHand(db, commandId, claimId) {
    await db `update claims set in_hand = null where id = ${claimId} and in_hand ->> 'command_id' = ${commandId}`;
}
/** Whether the tenant has this claim. */
async function claimExists(db, tenant, claimId) {
    const rows = await db `select 1 from claims where project_id = ${tenant} and id = ${claimId}`;
    return rows.length > 0;
}
/** Notes that benefits has heard that an ended claim uses nothing any more. */
async function setFreed(db, tenant, claimId) {
    await db `
    update claims set freed_at = platform.now()
    where project_id = ${tenant} and id = ${claimId} and status in ('cancelled', 'reversed') and freed_at is null`;
}

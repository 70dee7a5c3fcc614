"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.horizonOf = horizonOf;
exports.closeThrough = closeThrough;
/** How far the claim's history is final, and the database's time (epoch milliseconds); `through` null where there is no such claim. */
async function horizonOf(db, tenant, claimId) {
    // A fact is recorded later than all before it, so the newest fact's own recorded_at is a horizon too.
    const [row] = await db `
    select (select greatest(closed_through, last_recorded_at) from claims
            where project_id = ${tenant} and id = ${claimId}) as through, platform.now() as now`;
    if (row === undefined)
        throw new Error('the database told no time');
    return { through: row.through?.getTime() ?? null, now: row.now.getTime() };
}
/** Closes the claim through `cutoff` (epoch milliseconds), waiting for a writer that is at it. Never moves it back. */
async function closeThrough(db, claimId, cutoff) {
    const at = new Date(cutoff);
    await db `
    update claims set closed_through = ${at}
    where id = ${claimId} and (closed_through is null or closed_through < ${at})`;
}

/**
 * The seal that makes a valuation last: a claim is closed through every cutoff that was answered, under the lock under which its
 * writers choose their recorded_at, so that none can fall inside an answered cutoff afterwards.
 */
import type { Db, Tenant } from '@carecover/platform';

/** How far the claim's history is final, and the database's time (epoch milliseconds); `through` null where there is no such claim. */
export async function horizonOf(
  db: Db,
  tenant: Tenant,
  claimId: string,
): Promise<{ readonly through: number | null; readonly now: number }> {
  // A fact is recorded later than all before it, so the newest fact's own recorded_at is a horizon too.
  const [row] = await db<{ through: Date | null; now: Date }[]>`
    select (select greatest(closed_through, last_recorded_at) from claims
            where project_id = ${tenant} and id = ${claimId}) as through, platform.now() as now`;
  if (row === undefined) throw new Error('the database told no time');
  return { through: row.through?.getTime() ?? null, now: row.now.getTime() };
}

/** Closes the claim through `cutoff` (epoch milliseconds), waiting for a writer that is at it. Never moves it back. */
export async function closeThrough(db: Db, claimId: string, cutoff: number): Promise<void> {
  const at = new Date(cutoff);
  await db`
    update claims set closed_through = ${at}
    where id = ${claimId} and (closed_through is null or closed_through < ${at})`;
}
